// What the merchants know: what they sent, and what they were answered. Checks compare it with the gateway's tables and with
// the counterparties' books.
import type { Db } from '../src/postgres/db.ts'
import type { Account } from '../test/client.ts'

/** A merchant. Its key changes when it is rotated. */
export type Shop = Account & { key: string; readonly webhookSecret: string }

export type Answer =
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly code: string
      readonly message: string
      readonly data: Readonly<Record<string, unknown>>
    }
  /** No whole answer came: the gateway may have acted or not. */
  | { readonly kind: 'lost'; readonly why: string }

export type OrderKind = 'payment' | 'hosted' | 'payout'

export type SentOrder = {
  readonly shop: Shop
  /** merOrderNo */
  readonly number: string
  readonly kind: OrderKind
  /** The operation that sent it. */
  readonly by: string
  readonly amount: string
  readonly currency: string
  /** To every request with this number, in order of arrival. */
  readonly answers: Answer[]
  /** Once an answer told it. */
  tradeNo: string | undefined
  /** In the latest order list that showed it. */
  lastListed: Seen | undefined
  /** In the latest answer to `/order/query` for `sales`. */
  lastQueried: Seen | undefined
}

export type Seen = {
  readonly state: number
  /** When the answer arrived, by the simulation's clock. */
  readonly at: number
}

export type SentRefund = {
  readonly order: SentOrder
  /** merRefundNo */
  readonly number: string
  readonly amount: string
  readonly answers: Answer[]
  /** In the latest answer to `/order/query` for `refund`. */
  lastQueried: Seen | undefined
}

/** A command of the operator. One that was lost may have been carried out. */
export type SentCommand = {
  readonly args: readonly string[]
  readonly outcome: 'done' | 'refused' | 'lost'
}

/** An answer that contradicts an earlier one, or that the gateway should never give. */
export type Violation = {
  readonly what: string
  readonly about: string
  readonly rows?: unknown
  /** Asked in the pause: whether the gateway never promised it under the conditions of that moment. */
  readonly isExcused?: (db: Db) => Promise<boolean>
}

/** The keys that a merchant has had, oldest first. Incomplete if the answer to a rotation was lost. */
export type KeyRing = { readonly keys: string[]; isComplete: boolean }

export type Witness = {
  readonly orders: Map<string, SentOrder>
  readonly refunds: Map<string, SentRefund>
  readonly commands: SentCommand[]
  /** By merchant number, for those whose key was rotated. */
  readonly keyRings: Map<number, KeyRing>
  readonly violations: Violation[]
  /** How many answers were compared with earlier ones. */
  comparisons: number
  /** How each operation ended, counted: accepted, refused with a code, or lost. */
  readonly outcomes: Map<string, Map<string, number>>
  /** A merchant's latest orders that were answered with success. */
  recentOf(shop: Shop): readonly SentOrder[]
  addRecent(order: SentOrder): void
  /** The latest refunds that were answered with success. */
  readonly recentRefunds: SentRefund[]
  count(operation: string, outcome: string): void
  /** A number that no other order or refund of the run has. */
  newNumber(prefix: string): string
}

/** Enough to find orders in every state. */
const MAX_RECENT = 300

export function openWitness(seed: number): Witness {
  let count = 0
  const outcomes = new Map<string, Map<string, number>>()
  const recent = new Map<number, SentOrder[]>()
  return {
    orders: new Map(),
    refunds: new Map(),
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

/** The system answered: this was not done and will not be. 99999 and 503 say nothing of the kind. */
export function isRefused(answer: Answer): boolean {
  return answer.kind === 'answered' && !['00000', '99999'].includes(answer.code)
}

/** It may have been done or not: the merchant has to ask, or to send the same again. */
export function isUnclear(answer: Answer): boolean {
  return answer.kind === 'lost' || answer.code === '99999'
}

export function isAccepted(answer: Answer): boolean {
  return answer.kind === 'answered' && answer.code === '00000'
}

/** For figures: accepted, the code of a refusal, or lost. */
export function outcomeOf(answer: Answer): string {
  if (answer.kind === 'lost') return 'lost'
  return answer.code === '00000' ? 'accepted' : answer.code
}
