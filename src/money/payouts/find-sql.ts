import type { StateNumber } from '../orders/order.ts'
import type { Queryable } from '../postgres/db.ts'
import { itself, listOf, text } from '../postgres/lists.ts'
import type { FoundPayout } from './found-payout.ts'
import type { PayoutKind, PayoutState } from './payout.ts'

export async function selectByOrderNumber(
  db: Queryable,
  merNo: number,
  merOrderNo: string | undefined,
): Promise<FoundPayout | undefined> {
  const [row] = await db.query<Row>({
    name: 'payouts.by-number',
    text: `${selectText} where o.mer_no = $1 and o.mer_order_no = $2`,
    values: [merNo, merOrderNo],
  })
  return row && toFound(row)
}

export async function selectByTrade(
  db: Queryable,
  merNo: number,
  tradeNo: string,
): Promise<FoundPayout | undefined> {
  const [row] = await db.query<Row>({
    name: 'payouts.by-trade',
    text: `${selectText} where o.mer_no = $1 and o.trade_no = $2`,
    values: [merNo, tradeNo],
  })
  return row && toFound(row)
}

type Row = {
  mer_no: bigint
  trade_no: string
  mer_order_no: string
  currency: string
  amount: bigint
  order_state: StateNumber
  message: string
  return_url: string
  kind: PayoutKind
  state: PayoutState
  rail: string
  fee: bigint
  account_masked: string
  beneficiary: Readonly<Record<string, unknown>>
}

const selectText = `
  select
    o.mer_no, o.trade_no, o.mer_order_no, o.currency, o.amount, o.state as order_state, o.message, o.return_url,
    p.kind, p.state, p.rail, p.fee, p.account_masked, p.beneficiary
  from current_orders o join payouts p using (mer_no, trade_no)`

function toFound(row: Row): FoundPayout {
  return {
    merNo: Number(row.mer_no),
    tradeNo: row.trade_no,
    merOrderNo: row.mer_order_no,
    money: { amount: row.amount, currency: row.currency },
    orderState: row.order_state,
    message: row.message,
    returnUrl: row.return_url,
    kind: row.kind,
    state: row.state,
    rail: row.rail,
    fee: row.fee,
    accountMasked: row.account_masked,
    beneficiary: row.beneficiary,
  }
}

export type ListedRow = {
  mer_no: bigint
  trade_no: string
  mer_order_no: string
  kind: string
  state: string
  amount: bigint
  fee: bigint
  currency: string
  account_masked: string
  beneficiary: string
  message: string
  rail_ref: string | null
  created_at: Date
}

/** Oldest first. */
export function selectListed(
  db: Queryable,
  state: PayoutState | undefined,
  merNo: number | undefined,
  limit: number,
): Promise<ListedRow[]> {
  const values = [state ?? null, merNo ?? null, limit]
  return db.query<ListedRow>({ text: listText, values })
}

/** Of one merchant, newest first: trade numbers sort by time. */
export function selectPage(
  db: Queryable,
  page: {
    readonly merNo: number
    readonly state: PayoutState | undefined
    readonly tradeNo?: string | undefined
    readonly after: string | undefined
    readonly limit: number
  },
): Promise<ListedRow[]> {
  return db.query<ListedRow>({
    text: `${listedText}
      where p.mer_no = $1 and ($2::text is null or p.state = $2) and ($3::text is null or p.trade_no < $3)
        and ($4::text is null or p.trade_no = $4)
      order by p.trade_no desc
      limit $5`,
    values: [page.merNo, page.state ?? null, page.after ?? null, page.tradeNo ?? null, page.limit],
  })
}

/** Of all merchants, newest first: the newest of each state, merged. */
export function selectPageOfAll(
  db: Queryable,
  page: {
    readonly states: readonly PayoutState[]
    readonly after: string | undefined
    readonly limit: number
  },
): Promise<ListedRow[]> {
  return db.query<ListedRow>({
    text: `${listedText}
      where (p.mer_no, p.trade_no) in (
        select n.mer_no, n.trade_no
        from ${wantedStates.text}, lateral (
          select mer_no, trade_no from payouts
          where payouts.state = g.state and ($2::text is null or payouts.trade_no < $2)
          order by payouts.trade_no desc limit $3
        ) n
        order by n.trade_no desc limit $3)
      order by p.trade_no desc`,
    values: [...wantedStates.values(page.states), page.after ?? null, page.limit],
  })
}

const wantedStates = listOf({ state: text<PayoutState>(itself) })

const listedText = `
  select
    p.mer_no, p.trade_no, o.mer_order_no, p.kind, p.state, o.amount, p.fee, o.currency,
    p.account_masked, concat_ws(' ', p.beneficiary ->> 'benFirstName', p.beneficiary ->> 'benLastName') as beneficiary,
    o.message, p.rail_ref, p.created_at
  from payouts p
  join current_orders o using (mer_no, trade_no)`

const listText = `${listedText}
  where ($1::text is null or p.state = $1) and ($2::bigint is null or p.mer_no = $2)
  order by p.created_at, p.trade_no
  limit $3`

export type PayoutCounts = {
  /** Payouts that wait for the rail. */
  readonly open: number
  /** Payouts that wait for an operator. */
  readonly waiting: number
  /** The oldest one of those. */
  readonly firstWaiting: string | null
}

export async function selectCounts(db: Queryable): Promise<PayoutCounts> {
  const [row] = await db.query<PayoutCounts>({
    text: `select
        (select count(*)::int from payouts where ask_at is not null and state <> 'awaiting_account') as open,
        (select count(*)::int from payouts where state = 'awaiting_approval') as waiting,
        (select min(trade_no) from payouts where state = 'awaiting_approval') as "firstWaiting"`,
  })
  return row ?? { open: 0, waiting: 0, firstWaiting: null }
}
