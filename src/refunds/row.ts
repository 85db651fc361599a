import type { Refund, RefundState } from './refund.ts'

export type Row = {
  mer_no: bigint
  refund_no: string
  trade_no: string
  mer_order_no: string
  mer_refund_no: string | null
  currency: string
  amount: bigint
  refund_fee: bigint
  remark: string
  notify_url: string
  channel: string
  attempt_no: number
  attempt_ref: string | null
  paid_amount: bigint
  state: RefundState
  version: number
  message: string
  created_at: Date
  asks: number
}

/** Columns of `refunds r`. */
export const columns = `
  r.mer_no, r.refund_no, r.trade_no, r.mer_order_no, r.mer_refund_no, r.currency, r.amount, r.refund_fee, r.remark,
  r.notify_url, r.channel, r.attempt_no, r.attempt_ref, r.paid_amount, r.state, r.version, r.message, r.created_at,
  r.asks`

export function toRefund(row: Row): Refund {
  return {
    merNo: Number(row.mer_no),
    refundNo: row.refund_no,
    tradeNo: row.trade_no,
    merOrderNo: row.mer_order_no,
    merRefundNo: row.mer_refund_no ?? undefined,
    money: { amount: row.amount, currency: row.currency },
    fee: row.refund_fee,
    remark: row.remark,
    notifyUrl: row.notify_url,
    payment: {
      channel: row.channel,
      attemptNo: row.attempt_no,
      channelRef: row.attempt_ref ?? undefined,
      amount: row.paid_amount,
    },
    state: row.state,
    version: row.version,
    message: row.message,
    createdAt: row.created_at,
    asks: row.asks,
  }
}
