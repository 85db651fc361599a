// One order as merchants and payers may see it, with its latest attempt.
import type { Queryable } from '../base/db.ts'
import type { Money } from '../base/money.ts'
import type { PayerAction } from '../channels/contract.ts'
import type { ChargebackState } from './paid-order.ts'
import type { AttemptState, StateNumber } from './payment.ts'

export type FoundPayment = {
  readonly merNo: number
  readonly tradeNo: string
  readonly merOrderNo: string
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
  readonly attempt: FoundAttempt
}

export type FoundAttempt = {
  readonly no: number
  readonly channel: string
  readonly state: AttemptState
  readonly channelRef: string | undefined
  readonly action: PayerAction | undefined
}

/** By trade number, by order number, or by both, which must then belong together. */
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

type Row = {
  mer_no: bigint
  trade_no: string
  mer_order_no: string
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
  attempt_no: number
  channel: string
  attempt_state: AttemptState
  channel_ref: string | null
  action: PayerAction | null
}

const selectText = `
  select
    o.mer_no, o.trade_no, o.mer_order_no, o.currency, o.amount, o.state, o.message, o.return_url, o.created_at,
    o.received, o.handling_fee, o.processing_fee,
    o.settled_at is not null as settled, o.chargeback_state,
    a.attempt_no, a.channel, a.state as attempt_state, a.channel_ref, a.action
  from orders o
  join lateral (
    select attempt_no, channel, state, channel_ref, action from attempts
    where mer_no = o.mer_no and trade_no = o.trade_no
    order by attempt_no desc limit 1
  ) a on true`
const byTradeText = `${selectText} where o.mer_no = $1 and o.trade_no = $2`
const byNumberText = `${selectText} where o.mer_no = $1 and o.mer_order_no = $2`

function toFound(row: Row): FoundPayment {
  return {
    merNo: Number(row.mer_no),
    tradeNo: row.trade_no,
    merOrderNo: row.mer_order_no,
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
    attempt: {
      no: row.attempt_no,
      channel: row.channel,
      state: row.attempt_state,
      channelRef: row.channel_ref ?? undefined,
      action: row.action ?? undefined,
    },
  }
}
