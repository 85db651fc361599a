// The knowledge of the merchants: their requests and the answers. Checks compare this knowledge with the gateway's
// tables and with the counterparties' books.
import type { Db } from '../src/platform/postgres/db.ts'
import type { Account } from '../test/harness/client.ts'

/** A merchant. `key` changes when the key is rotated. */
export type Shop = Account & { key: string; readonly webhookSecret: string }

export type Answer =
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly code: string
      readonly message: string
      readonly data: Readonly<Record<string, unknown>>
    }
  /** No complete answer came. The gateway may or may not have acted. */
  | { readonly kind: 'lost'; readonly why: string }

export type OrderKind = 'payment' | 'hosted' | 'payout'

export type SentOrder = {
  readonly shop: Shop
  /** The `merOrderNo` of the order. */
  readonly number: string
  readonly kind: OrderKind
  /** The operation that sent the order. */
  readonly by: string
  readonly amount: string
  readonly currency: string
  /** The answers to the requests for this order, in order of arrival. */
  readonly answers: Answer[]
  /** The gateway's number. Undefined until an answer contains it. */
  tradeNo: string | undefined
  /** The state in the latest order list that contained the order. */
  lastListed: Seen | undefined
  /** The state in the latest answer to `/order/query` for `sales`. */
  lastQueried: Seen | undefined
}

export type Seen = {
  readonly state: number
  /** The time at which the answer arrived, by the simulation's clock. */
  readonly at: number
}

export type SentRefund = {
  readonly order: SentOrder
  /** The `merRefundNo` of the refund. */
  readonly number: string
  readonly amount: string
  /** True if the merchant knew that the order was disputed before it sent the refund. */
  readonly wasDisputed: boolean
  readonly answers: Answer[]
  /** The state in the latest answer to `/order/query` for `refund`. */
  lastQueried: Seen | undefined
}

/** A refund that the payer's bank sent back, as its channel reports it. */
export type ReturnedRefund = {
  readonly channel: string
  readonly refundReference: string
  /** The amount of the refund. */
  readonly sent: bigint
  readonly currency: string
  /** The amount that came back. Undefined if the channel does not report an amount. */
  readonly amount: bigint | undefined
  isAcknowledged: boolean
}

/** A command of the operator. A command without an answer may have been carried out. */
export type SentCommand = {
  readonly args: readonly string[]
  readonly outcome: 'done' | 'refused' | 'lost'
}

/** An answer that contradicts an earlier answer, or that the gateway should never give. */
export type Violation = {
  readonly what: string
  readonly about: string
  readonly rows?: unknown
  /** Resolves to true if special conditions, such as a wrong clock, excuse the violation. Called in the pause. */
  readonly isExcused?: (db: Db) => Promise<boolean>
}

/** The keys that a merchant has had, oldest first. The list is incomplete if the answer to a rotation was lost. */
export type KeyRing = { readonly keys: string[]; isComplete: boolean }

export type Witness = {
  readonly orders: Map<string, SentOrder>
  readonly refunds: Map<string, SentRefund>
  /** The refunds that came back, by the reference of the refund at the channel. */
  readonly returnedRefunds: Map<string, ReturnedRefund>
  /** The outcomes that operators decided, each with the number of calls (`asks`) that the operator had seen. */
  readonly decidedByHand: Map<string, number>
  readonly commands: SentCommand[]
  /** The keys of merchants whose key was rotated, by merchant number. */
  readonly keyRings: Map<number, KeyRing>
  readonly violations: Violation[]
  /** The number of answers that were compared with earlier answers. */
  comparisons: number
  /** The counts of each operation's results: accepted, refused with a code, or lost. */
  readonly outcomes: Map<string, Map<string, number>>
  /** Returns a merchant's latest orders that the gateway has accepted. */
  recentOf(shop: Shop): readonly SentOrder[]
  addRecent(order: SentOrder): void
  /** The latest refunds that the gateway has accepted. */
  readonly recentRefunds: SentRefund[]
  count(operation: string, outcome: string): void
  /** A number that no other order or refund of the run has. */
  newNumber(prefix: string): string
}

/** The number of latest orders that are kept for each merchant, large enough to contain orders in every state. */
const MAX_RECENT = 300

export function openWitness(seed: number): Witness {
  let count = 0
  const outcomes = new Map<string, Map<string, number>>()
  const recent = new Map<number, SentOrder[]>()
  return {
    orders: new Map(),
    refunds: new Map(),
    returnedRefunds: new Map(),
    decidedByHand: new Map(),
    commands: [],
    keyRings: new Map(),
    violations: [],
    comparisons: 0,
    outcomes,
    recentRefunds: [],
    recentOf: ({ merNo }) => recent.get(merNo) ?? [],
    addRecent(order) {
      const { merNo } = order.shop
      recent.set(merNo, [...(recent.get(merNo) ?? []), order].slice(-MAX_RECENT))
    },
    count(operation, outcome) {
      const counts = outcomes.get(operation) ?? new Map<string, number>()
      outcomes.set(operation, counts.set(outcome, (counts.get(outcome) ?? 0) + 1))
    },
    newNumber: (prefix) => `${prefix}${seed}-${++count}`,
  }
}

/**
 * True if the answer states that the request was not and will not be carried out. After the code 99999, this is
 * unknown.
 */
export function isRefused(answer: Answer): boolean {
  return answer.kind === 'answered' && !['00000', '99999'].includes(answer.code)
}

/**
 * True if it is unknown whether the request was carried out. The merchant has to query the request or send it again.
 */
export function isUnclear(answer: Answer): boolean {
  return answer.kind === 'lost' || answer.code === '99999'
}

export function isAccepted(answer: Answer): boolean {
  return answer.kind === 'answered' && answer.code === '00000'
}

/** The result for the report: accepted, the code of a refusal, or lost. */
export function outcomeOf(answer: Answer): string {
  if (answer.kind === 'lost') return 'lost'
  return answer.code === '00000' ? 'accepted' : answer.code
}
