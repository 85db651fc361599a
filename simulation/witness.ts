// What the merchants know: what they sent, and what they were answered. Checks compare it with the gateway's tables and with
// the counterparties' books.
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
}

export type SentRefund = {
  readonly order: SentOrder
  /** merRefundNo */
  readonly number: string
  readonly amount: string
  readonly answers: Answer[]
}

export type Witness = {
  readonly orders: Map<string, SentOrder>
  readonly refunds: Map<string, SentRefund>
  /** A number that no other order or refund of the run has. */
  newNumber(prefix: string): string
}

export function openWitness(seed: number): Witness {
  let count = 0
  return {
    orders: new Map(),
    refunds: new Map(),
    newNumber: (prefix) => `${prefix}${seed}-${++count}`,
  }
}

/** The system answered: this was not done and will not be. 99999 and 503 say nothing of the kind. */
export function isRefused(answer: Answer): boolean {
  return answer.kind === 'answered' && !['00000', '99999'].includes(answer.code)
}

export function isAccepted(answer: Answer): boolean {
  return answer.kind === 'answered' && answer.code === '00000'
}
