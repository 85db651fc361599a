// Payments, refunds and payouts whose outcome the channel has not told: those that an operator may decide by hand.
import type { Money } from '../base/money.ts'
import type { OrderKey } from '../orders/order.ts'
import type { Queryable } from '../postgres/db.ts'

export type UnresolvedKind = 'payment' | 'refund' | 'payout'

export type Unresolved = OrderKey & {
  readonly kind: UnresolvedKind
  readonly merOrderNo: string
  readonly attemptNo: number | undefined
  readonly refundNo: string | undefined
  readonly channel: string
  readonly state: string
  readonly money: Money
  readonly createdAt: Date
  /** How often the channel was asked. */
  readonly asks: number
  /** When it is asked next. */
  readonly askAt: Date
}

export type UnresolvedFilter = {
  /** An open one that is not unknown must be older: its channel may only be slow. So must a payout that no rail has got yet. */
  readonly openSince: Date
  /** Undefined: of all merchants. */
  readonly merNo?: number | undefined
  readonly tradeNo?: string | undefined
  /** The last row of the previous page. */
  readonly after?: { readonly createdAt: Date; readonly id: string } | undefined
  readonly limit: number
}

type Row = {
  mer_no: bigint
  trade_no: string
  kind: UnresolvedKind
  mer_order_no: string
  attempt_no: number | null
  refund_no: string | null
  channel: string
  state: string
  currency: string
  amount: bigint
  created_at: Date
  asks: number
  ask_at: Date
}

/** Each is written once, oldest first. The id of a refund is its own number, else the trade number. */
export function idOf({
  tradeNo,
  refundNo,
}: {
  readonly tradeNo: string
  readonly refundNo?: string | undefined
}): string {
  return refundNo ?? tradeNo
}

const isOld = (state: string, since: string) => `(${state} = 'unknown' or ${since} < $1)`

const text = `
  select * from (
    select a.mer_no, a.trade_no, 'payment' as kind, o.mer_order_no, a.attempt_no, null as refund_no, a.channel, a.state,
      o.currency, o.amount, a.created_at, a.asks, a.ask_at, a.trade_no as id
    from attempt_rows a join orders o using (mer_no, trade_no)
    where a.ask_at is not null and ${isOld('a.state', 'a.created_at')}
    union all
    select r.mer_no, r.trade_no, 'refund', r.mer_order_no, null, r.refund_no, r.channel, r.state,
      r.currency, r.amount, r.created_at, r.asks, r.ask_at, r.refund_no
    from refunds r
    where r.ask_at is not null and ${isOld('r.state', 'r.created_at')}
    union all
    select p.mer_no, p.trade_no, 'payout', o.mer_order_no, null, null, p.rail, p.state,
      o.currency, o.amount, p.created_at, p.asks, p.ask_at, p.trade_no
    from payouts p join orders o using (mer_no, trade_no)
    where p.ask_at is not null and p.state = 'sending' and (p.asks > 0 or p.sending_at < $1)
  ) unresolved
  where ($2::bigint is null or mer_no = $2) and ($3::text is null or trade_no = $3)
    and ($4::timestamptz is null or (created_at, id) > ($4, $5::text))
  order by created_at, id
  limit $6`

/** Oldest first. */
export async function listUnresolved(db: Queryable, filter: UnresolvedFilter): Promise<Unresolved[]> {
  const { openSince, merNo, tradeNo, after, limit } = filter
  const rows = await db.query<Row>({
    text,
    values: [openSince, merNo ?? null, tradeNo ?? null, after?.createdAt ?? null, after?.id ?? null, limit],
  })
  return rows.map((row) => ({
    merNo: Number(row.mer_no),
    tradeNo: row.trade_no,
    kind: row.kind,
    merOrderNo: row.mer_order_no,
    attemptNo: row.attempt_no ?? undefined,
    refundNo: row.refund_no ?? undefined,
    channel: row.channel,
    state: row.state,
    money: { amount: row.amount, currency: row.currency },
    createdAt: row.created_at,
    asks: row.asks,
    askAt: row.ask_at,
  }))
}
