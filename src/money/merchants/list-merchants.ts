import type { Queryable } from '../postgres/db.ts'
import { type MerchantFilter, selectListed, selectWaiting, type WaitingMerchants } from './list-sql.ts'
import type { MerchantState } from './merchant.ts'

export type ListedMerchant = {
  readonly merNo: number
  readonly name: string
  readonly state: MerchantState
  readonly askedWebsites: number
}

/** By number, at most `limit`. */
export async function listMerchants(
  db: Queryable,
  filter: MerchantFilter,
  limit: number,
): Promise<ListedMerchant[]> {
  const rows = await selectListed(db, filter, limit)
  return rows.map(({ mer_no, name, state, asked }) => {
    return { merNo: Number(mer_no), name, state, askedWebsites: asked }
  })
}

export function countWaitingMerchants(db: Queryable): Promise<WaitingMerchants> {
  return selectWaiting(db)
}
