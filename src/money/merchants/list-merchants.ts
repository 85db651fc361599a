import type { Queryable } from '../../platform/postgres/db.ts'
import { type MerchantFilter, selectListed, selectWaiting, type WaitingMerchants } from './list-sql.ts'
import type { MerchantState } from './merchant.ts'
import { selectNames, selectReviewSubscribers } from './sql.ts'

type ListedMerchant = {
  readonly merNo: number
  readonly name: string
  readonly state: MerchantState
  readonly askedWebsites: number
}

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

/** Numbers that do not exist are not in the result. */
export function merchantNames(db: Queryable, merNos: readonly number[]): Promise<Map<number, string>> {
  return selectNames(db, merNos)
}

/** Returns which of the given merchants want a notification when a payment needs more information. */
export async function wantReviewNotifications(
  db: Queryable,
  merNos: readonly number[],
): Promise<Set<number>> {
  return new Set(await selectReviewSubscribers(db, merNos))
}
