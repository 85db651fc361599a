// A payment as merchants and payers may see it, with one of its attempts: the attempt that took the money, or else the
// latest attempt. Late money may have paid an earlier attempt than the latest.

import type { Money } from '../../platform/base/money.ts'
import type { Queryable } from '../../platform/postgres/db.ts'
import type { PayerAction } from '../../rails/contract/channel.ts'
import { isMethod, type Method, methods } from '../../rails/methods/methods.ts'
import type { Hosted } from '../orders/new-order.ts'
import {
  type AttemptState,
  type ChargebackState,
  type OrderKey,
  orderKeys,
  payerExpiry,
  State,
  type StateNumber,
} from '../orders/order.ts'

export type FoundPayment = {
  readonly merNo: number
  readonly tradeNo: string
  readonly merOrderNo: string
  /** The order's method. Undefined until the payer has chosen a method. */
  readonly method: Method | undefined
  readonly money: Money
  readonly state: StateNumber
  readonly message: string
  readonly returnUrl: string
  readonly createdAt: Date
  readonly received: bigint | undefined
  readonly handlingFee: bigint
  readonly processingFee: bigint
  readonly settled: boolean
  readonly chargeback: ChargebackState | undefined
  readonly maxAttempts: number
  /** The number of attempts, including an open attempt. */
  readonly attempts: number
  readonly attempt: FoundAttempt | undefined
  /** The method that the merchant chose, and the order's expiry. Set for a hosted order, at least until it expires. */
  readonly hosted: Hosted | undefined
  /**
   * The end of the payer's time for the pending attempt, or else the end of the time on our page. Set only in the state
   * `processing`.
   */
  readonly expiresAt: Date | undefined
}

export type FoundAttempt = {
  readonly no: number
  readonly channel: string
  readonly state: AttemptState
  readonly channelRef: string | undefined
  readonly action: PayerAction | undefined
  readonly message: string
  readonly createdAt: Date
}

/** The trade number, the order number, or both. If both are given, they must belong to the same payment. */
export type PaymentKey = { readonly merNo: number; readonly tradeNo?: string; readonly merOrderNo?: string }

export async function findPayment(db: Queryable, key: PaymentKey): Promise<FoundPayment | undefined> {
  const [row] =
    key.tradeNo === undefined
      ? await db.query<Row>({
          name: 'payments.by-number',
          text: byNumberText,
          values: [key.merNo, key.merOrderNo],
        })
      : await db.query<Row>({
          name: 'payments.by-trade',
          text: byTradeText,
          values: [key.merNo, key.tradeNo],
        })
  if (row === undefined) return undefined
  if (key.merOrderNo !== undefined && key.merOrderNo !== row.mer_order_no) return undefined
  return toFound(row)
}

/** Reads the payments with these keys. Payments that do not exist are not in the result. */
export async function findPayments(db: Queryable, keys: readonly OrderKey[]): Promise<FoundPayment[]> {
  const rows = await db.query<Row>({ text: allOfText, values: orderKeys.values(keys) })
  return rows.map(toFound)
}

type Row = {
  mer_no: bigint
  trade_no: string
  mer_order_no: string
  method: string
  currency: string
  amount: bigint
  state: StateNumber
  message: string
  return_url: string
  created_at: Date
  received: bigint | null
  handling_fee: bigint | null
  processing_fee: bigint | null
  settled: boolean
  chargeback_state: ChargebackState | null
  max_attempts: number
  hosted_method: string | null
  hosted_until: Date | null
} & (AttemptColumns | { attempt_no: null })

type AttemptColumns = {
  attempt_no: number
  attempts: number
  channel: string
  attempt_state: AttemptState
  channel_ref: string | null
  action: PayerAction | null
  attempt_message: string
  attempt_at: Date
}

const selectText = `
  select
    o.mer_no, o.trade_no, o.mer_order_no, o.method, o.currency, o.amount, o.state, o.message, o.return_url, o.created_at,
    o.received, o.handling_fee, o.processing_fee,
    o.settled_at is not null as settled, o.chargeback_state, o.max_attempts,
    h.method as hosted_method, h.expires_at as hosted_until,
    a.attempt_no, a.attempts, a.channel, a.state as attempt_state, a.channel_ref, a.action, a.message as attempt_message,
    a.created_at as attempt_at
  from orders o
  left join lateral (
    select attempt_no, max(attempt_no) over () as attempts, channel, state, channel_ref, action, message, created_at
    from attempts
    where mer_no = o.mer_no and trade_no = o.trade_no
    order by state = 'succeeded' desc, attempt_no desc limit 1
  ) a on true
  left join hosted_orders h on h.mer_no = o.mer_no and h.trade_no = o.trade_no
  where o.kind = 'payment'`
const byTradeText = `${selectText} and o.mer_no = $1 and o.trade_no = $2`
const byNumberText = `${selectText} and o.mer_no = $1 and o.mer_order_no = $2`
const allOfText = `${selectText} and (o.mer_no, o.trade_no) in (select mer_no, trade_no from ${orderKeys.text})`

function toFound(row: Row): FoundPayment {
  const method = isMethod(row.method) ? row.method : undefined
  const attempt = toAttempt(row)
  const hosted = toHosted(row)
  return {
    merNo: Number(row.mer_no),
    tradeNo: row.trade_no,
    merOrderNo: row.mer_order_no,
    method,
    money: { amount: row.amount, currency: row.currency },
    state: row.state,
    message: row.message,
    returnUrl: row.return_url,
    createdAt: row.created_at,
    received: row.received ?? undefined,
    handlingFee: row.handling_fee ?? 0n,
    processingFee: row.processing_fee ?? 0n,
    settled: row.settled,
    chargeback: row.chargeback_state ?? undefined,
    maxAttempts: row.max_attempts,
    attempts: row.attempt_no === null ? 0 : row.attempts,
    attempt,
    hosted,
    expiresAt: row.state === State.processing ? expiryOf(method, attempt, hosted) : undefined,
  }
}

function toAttempt(row: Row): FoundAttempt | undefined {
  if (row.attempt_no === null) return undefined
  return {
    no: row.attempt_no,
    channel: row.channel,
    state: row.attempt_state,
    channelRef: row.channel_ref ?? undefined,
    action: row.action ?? undefined,
    message: row.attempt_message,
    createdAt: row.attempt_at,
  }
}

function toHosted({ hosted_method: method, hosted_until: expiresAt }: Row): Hosted | undefined {
  if (expiresAt === null) return undefined
  return { method: method !== null && isMethod(method) ? method : undefined, expiresAt }
}

function expiryOf(
  method: Method | undefined,
  attempt: FoundAttempt | undefined,
  hosted: Hosted | undefined,
): Date | undefined {
  if (attempt?.state !== 'pending' || method === undefined) return hosted?.expiresAt
  return payerExpiry(attempt.createdAt, methods[method].awaitsPayerMinutes)
}
