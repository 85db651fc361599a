import type { Queryable } from '../../platform/postgres/db.ts'
import { arrayOf, itself, text } from '../../platform/postgres/lists.ts'

export type ExplainRow = {
  readonly merchant: string | null
  readonly mer_order_no: string
  readonly kind: string
  readonly method: string
  readonly currency: string
  readonly amount: bigint
  readonly state: number
  readonly message: string
  readonly created_at: Date
  readonly decided_at: Date | null
  readonly received: bigint | null
  readonly handling_fee: bigint | null
  readonly processing_fee: bigint | null
  readonly margin: bigint | null
  readonly remainder: bigint | null
  readonly settle_currency: string
}

export async function selectOrder(
  db: Queryable,
  merNo: number,
  tradeNo: string,
): Promise<ExplainRow | undefined> {
  const rows = await db.query<ExplainRow>({
    text: `select m.name as merchant, o.mer_order_no, o.kind, o.method, o.currency, o.amount, o.state, o.message,
        o.created_at, o.decided_at, o.received, o.handling_fee, o.processing_fee, o.margin, o.remainder,
        o.settle_currency
      from orders o left join merchants m using (mer_no) where o.mer_no = $1 and o.trade_no = $2`,
    values: [merNo, tradeNo],
  })
  return rows[0]
}

export type EventRow = {
  readonly from_state: number
  readonly to_state: number
  readonly why: string
  readonly at: Date
}

export function selectEvents(db: Queryable, merNo: number, tradeNo: string): Promise<EventRow[]> {
  return db.query<EventRow>({
    text: `select from_state, to_state, why, at from order_events
      where mer_no = $1 and trade_no = $2 order by version limit 200`,
    values: [merNo, tradeNo],
  })
}

export type AttemptRow = {
  readonly attempt_no: number
  readonly channel: string
  readonly state: string
  readonly channel_ref: string | null
  readonly message: string
  readonly card_first6: string | null
  readonly card_last4: string | null
  readonly card_brand: string | null
  readonly created_at: Date
  readonly decided_at: Date | null
  readonly ask_at: Date | null
  readonly asks: number
}

export function selectAttempts(db: Queryable, merNo: number, tradeNo: string): Promise<AttemptRow[]> {
  return db.query<AttemptRow>({
    text: `select attempt_no, channel, state, channel_ref, message, card_first6, card_last4, card_brand, created_at,
        decided_at, ask_at, asks
      from attempts where mer_no = $1 and trade_no = $2 order by attempt_no limit 200`,
    values: [merNo, tradeNo],
  })
}

export type EntryRow = {
  readonly step: string
  readonly debit: string
  readonly credit: string
  readonly currency: string
  readonly amount: bigint
  readonly at: Date
}

export function selectEntries(db: Queryable, merNo: number, tradeNo: string): Promise<EntryRow[]> {
  return db.query<EntryRow>({
    text: `select step, debit, credit, currency, amount, at from ledger_entries
      where mer_no = $1 and subject = $2 order by at, step limit 200`,
    values: [merNo, tradeNo],
  })
}

export type DisputeRow = {
  readonly channel: string
  readonly dispute_ref: string
  readonly stage: string
  readonly currency: string
  readonly amount: bigint
  readonly reason: string
  readonly told_at: Date
  readonly result: string
}

export function selectDisputes(db: Queryable, references: readonly string[]): Promise<DisputeRow[]> {
  return db.query<DisputeRow>({
    text: `select channel, dispute_ref, stage, currency, amount, reason, told_at, result from channel_disputes
      where reference = any (${disputed.text}) order by told_at, dispute_ref, stage limit 200`,
    values: [disputed.value(references)],
  })
}

const disputed = arrayOf(text<string>(itself))

export type PayoutRow = {
  readonly kind: string
  readonly account_kind: string | null
  readonly account_masked: string
  readonly state: string
  readonly rail: string
  readonly reference: string
  readonly rail_ref: string | null
  readonly fee: bigint
  readonly funding_currency: string
  readonly funding_amount: bigint
  readonly funding_rate: string | null
  readonly needs_approval: boolean
  readonly approved_at: Date | null
  readonly needs_merchant_approval: boolean
  readonly merchant_approved_at: Date | null
  readonly ask_at: Date | null
  readonly asks: number
  readonly returned_amount: bigint | null
}

export async function selectPayout(
  db: Queryable,
  merNo: number,
  tradeNo: string,
): Promise<PayoutRow | undefined> {
  const rows = await db.query<PayoutRow>({
    text: `select kind, account_kind, account_masked, state, rail, reference, rail_ref, fee, funding_currency,
        funding_amount, funding_rate, needs_approval, approved_at, needs_merchant_approval, merchant_approved_at, ask_at,
        asks, returned_amount
      from payouts where mer_no = $1 and trade_no = $2`,
    values: [merNo, tradeNo],
  })
  return rows[0]
}
