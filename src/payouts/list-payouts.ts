import { formatAmount } from '../base/money.ts'
import type { Queryable } from '../postgres/db.ts'
import { type PayoutState, payoutStates } from './payout.ts'

export type ListedPayout = {
  readonly tradeNo: string
  readonly merNo: number
  readonly merchant: string
  readonly merOrderNo: string
  readonly kind: string
  readonly state: string
  readonly amount: string
  readonly fee: string
  readonly currency: string
  readonly account: string
  readonly beneficiary: string
  readonly createdAt: string
}

export type PayoutFilter = {
  /** Undefined: all. */
  readonly state: PayoutState | undefined
  readonly merNo: number | undefined
}

const MOST = 200

export function isPayoutState(text: string): text is PayoutState {
  return payoutStates.some((state) => state === text)
}

/** The oldest first: those have waited longest. */
export async function listPayouts(db: Queryable, filter: PayoutFilter): Promise<ListedPayout[]> {
  const rows = await db.query<Row>({
    text: listText,
    values: [filter.state ?? null, filter.merNo ?? null, MOST],
  })
  return rows.map((row) => ({
    tradeNo: row.trade_no,
    merNo: Number(row.mer_no),
    merchant: row.merchant ?? '',
    merOrderNo: row.mer_order_no,
    kind: row.kind,
    state: row.state,
    amount: formatAmount(row.amount, row.currency),
    fee: formatAmount(row.fee, row.currency),
    currency: row.currency,
    account: row.account_masked,
    beneficiary: row.beneficiary,
    createdAt: row.created_at.toISOString(),
  }))
}

type Row = {
  mer_no: bigint
  trade_no: string
  merchant: string | null
  mer_order_no: string
  kind: string
  state: string
  amount: bigint
  fee: bigint
  currency: string
  account_masked: string
  beneficiary: string
  created_at: Date
}

const listText = `
  select
    p.mer_no, p.trade_no, m.name as merchant, o.mer_order_no, p.kind, p.state, o.amount, p.fee, o.currency,
    p.account_masked, concat_ws(' ', p.beneficiary ->> 'benFirstName', p.beneficiary ->> 'benLastName') as beneficiary,
    p.created_at
  from payouts p
  join current_orders o using (mer_no, trade_no)
  left join merchants m using (mer_no)
  where ($1::text is null or p.state = $1) and ($2::bigint is null or p.mer_no = $2)
  order by p.created_at, p.trade_no
  limit $3`
