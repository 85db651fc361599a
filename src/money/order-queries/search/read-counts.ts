// Reads what the indexer counted: orders and amounts by local day, hour, method, state and reason.
import { State, type StateNumber } from '../../orders/order.ts'
import { type Db, inKeyOrder } from '../../postgres/db.ts'
import { type CountRow, countsText, declinesText, platformCountsText } from './counts-sql.ts'
import { countUpTo } from './find-sql.ts'
import { stateKey } from './keys.ts'

export type DayCounts = {
  readonly day: string
  readonly method: string
  readonly currency: string
  readonly orders: number
  readonly paid: number
  readonly failed: number
  readonly cancelled: number
  /** The amount of paid orders, in minor units. */
  readonly volume: bigint
}

/** By day, method and currency. `beforeHour` leaves the later hours of each day out. */
export async function readCounts(
  db: Db,
  merNo: number,
  days: { readonly from: string; readonly to: string; readonly beforeHour?: number },
): Promise<DayCounts[]> {
  const values = [merNo, days.from, days.to, days.beforeHour ?? 24]
  const rows = await db.query<CountRow>({ text: countsText, values })
  return rows.map((row) => ({
    ...row,
    orders: Number(row.orders),
    paid: Number(row.paid),
    failed: Number(row.failed),
    cancelled: Number(row.cancelled),
  }))
}

export type PlatformCounts = Omit<DayCounts, 'day' | 'method' | 'cancelled'> & {
  /** 0 is today, 1 yesterday, 7 a week ago. */
  readonly back: number
}

/** Of all merchants, by currency. Earlier days count until the same hour as today. */
export async function readPlatformCounts(db: Db, now: Date): Promise<PlatformCounts[]> {
  const rows = await db.query<CountRow & { back: number }>({ text: platformCountsText, values: [now] })
  return rows.map(({ back, currency, orders, paid, failed, volume }) => {
    return { back, currency, orders: Number(orders), paid: Number(paid), failed: Number(failed), volume }
  })
}

export type DeclineCount = { readonly reason: string; readonly method: string; readonly orders: number }

/** The most frequent reasons for failed payments. */
export async function readDeclines(
  db: Db,
  merNo: number,
  days: { readonly from: string; readonly to: string },
  limit: number,
): Promise<DeclineCount[]> {
  const values = [merNo, days.from, days.to, State.failed, limit]
  const rows = await db.query<{ reason: string; method: string; orders: bigint }>({
    text: declinesText,
    values,
  })
  return rows.map((row) => ({ ...row, orders: Number(row.orders) }))
}

/** How many orders are in this state, counted no further than the limit. */
export function countInState(db: Db, merNo: number, state: StateNumber, limit: number): Promise<number> {
  const everything = { from: new Date(0), after: { createdAt: new Date(8.64e12), tradeNo: '' } }
  return db.transaction(async (tx) => {
    await tx.query({ text: inKeyOrder })
    return countUpTo(tx, merNo, everything, [stateKey(state)], limit)
  })
}
