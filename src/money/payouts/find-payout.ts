import { formatAmount } from '../base/money.ts'
import { merchantNames } from '../merchants/merchant-names.ts'
import type { Queryable } from '../postgres/db.ts'
import { type ListedRow, selectListed, selectPage, selectPageOfAll } from './find-sql.ts'
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
  readonly message: string
  readonly createdAt: string
  /** On the chain; of a payout in coin, once it is signed. */
  readonly transaction?: string
}

export type PayoutFilter = {
  /** Undefined: all. */
  readonly state: PayoutState | undefined
  readonly merNo: number | undefined
}

const LIST_LIMIT = 200

export function isPayoutState(text: string): text is PayoutState {
  return payoutStates.some((state) => state === text)
}

/** Oldest first. */
export async function listPayouts(db: Queryable, filter: PayoutFilter): Promise<ListedPayout[]> {
  return withNames(db, await selectListed(db, filter.state, filter.merNo, LIST_LIMIT))
}

async function withNames(db: Queryable, rows: readonly ListedRow[]): Promise<ListedPayout[]> {
  const names = await merchantNames(
    db,
    rows.map((row) => Number(row.mer_no)),
  )
  return rows.map((row) => toListed(row, names.get(Number(row.mer_no)) ?? ''))
}

export type PayoutPage = {
  readonly merNo: number
  /** Undefined: all. */
  readonly state: PayoutState | undefined
  /** Only this payout. */
  readonly tradeNo?: string | undefined
  /** The last trade number of the previous page. */
  readonly after: string | undefined
  readonly limit: number
}

/** Of one merchant, newest first. */
export async function pagePayouts(db: Queryable, page: PayoutPage): Promise<ListedPayout[]> {
  const rows = await selectPage(db, page)
  return rows.map((row) => toListed(row, ''))
}

/** Of all merchants, newest first. */
export async function pageAllPayouts(
  db: Queryable,
  { state, after, limit }: Pick<PayoutPage, 'state' | 'after' | 'limit'>,
): Promise<ListedPayout[]> {
  const states = state === undefined ? payoutStates : [state]
  return withNames(db, await selectPageOfAll(db, { states, after, limit }))
}

function toListed(row: ListedRow, merchant: string): ListedPayout {
  return {
    tradeNo: row.trade_no,
    merNo: Number(row.mer_no),
    merchant,
    merOrderNo: row.mer_order_no,
    kind: row.kind,
    state: row.state,
    amount: formatAmount(row.amount, row.currency),
    fee: formatAmount(row.fee, row.currency),
    currency: row.currency,
    account: row.account_masked,
    beneficiary: row.beneficiary,
    message: row.message,
    createdAt: row.created_at.toISOString(),
    ...(isTransaction(row) && { transaction: row.rail_ref }),
  }
}

function isTransaction(row: ListedRow): row is ListedRow & { rail_ref: string } {
  return row.kind === 'coin' && row.rail_ref?.startsWith('0x') === true
}
