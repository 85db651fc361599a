// Compares the search index with the orders, page by page. An order that changed after the indexer's last check never
// counts as wrong, because the index may still be behind.

import type { Queryable } from '../../../platform/postgres/db.ts'
import type { OrderKey } from '../../orders/order.ts'

export type VerifiedIndex = {
  /**
   * `none`: no worker has run yet. `building`: the index is being built. Orders are compared only in the state `built`.
   */
  readonly state: 'none' | 'building' | 'built'
  readonly compared: number
  /** The number of orders that are missing in the index, or that the index has in an older version. */
  readonly wrong: number
  readonly first: OrderKey | undefined
}

const PAGE = 5_000
/** The maximum number of orders that are compared, which takes some seconds. */
const MOST = 1_000_000

export async function verifyIndex(db: Queryable, most = MOST): Promise<VerifiedIndex> {
  const progress = await readProgress(db)
  const found = { compared: 0, wrong: 0, first: undefined }
  if (progress === undefined) return { state: 'none', ...found }
  if (progress.rebuilding) return { state: 'building', ...found }
  let [compared, wrong] = [0, 0]
  let first: OrderKey | undefined
  for (let after: OrderKey = { merNo: -1, tradeNo: '' }; compared < most; ) {
    const rows = await readPage(db, after, progress.checked_until)
    const stale = rows.filter((row) => row.stale)
    compared += rows.length
    wrong += stale.length
    first ??= keyOf(stale[0])
    const last = rows.length < PAGE ? undefined : keyOf(rows.at(-1))
    if (last === undefined) break
    after = last
  }
  return { state: 'built', compared, wrong, first }
}

type ProgressRow = { readonly checked_until: Date; readonly rebuilding: boolean }

export async function readProgress(db: Queryable): Promise<ProgressRow | undefined> {
  const [row] = await db.query<ProgressRow>({
    text: 'select checked_until, rebuild_mer_no is not null as rebuilding from order_index_progress',
  })
  return row
}

type PageRow = OrderKey & { readonly stale: boolean }

function readPage(db: Queryable, after: OrderKey, checkedUntil: Date): Promise<PageRow[]> {
  return db.query<PageRow>({
    text: `
      with page as (
        select mer_no, trade_no, version, created_at from orders
        where (mer_no, trade_no) > ($1, $2) and kind = 'payment'
        order by mer_no, trade_no limit ${PAGE}
      )
      select p.mer_no::float8 as "merNo", p.trade_no as "tradeNo",
        i.version is distinct from p.version and p.created_at < $3 and not exists (
          select 1 from order_events e where e.mer_no = p.mer_no and e.trade_no = p.trade_no and e.at >= $3) as stale
      from page p left join indexed_orders i on i.mer_no = p.mer_no and i.trade_no = p.trade_no
      order by p.mer_no, p.trade_no`,
    values: [after.merNo, after.tradeNo, checkedUntil],
  })
}

function keyOf(row: PageRow | undefined): OrderKey | undefined {
  return row && { merNo: row.merNo, tradeNo: row.tradeNo }
}
