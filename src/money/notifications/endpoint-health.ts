// Reads how the servers of merchants answered the notifications of the last day, for the overviews of the back office.
import { idsFrom } from '../../platform/base/id.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { selectEndpoints, selectSomeMerchants } from './endpoint-sql.ts'
import type { Endpoint } from './notification.ts'
import { listStuck } from './watchdog.ts'

const DAY_MS = 86_400_000
/** The bounds of a merchant's own overview. */
export const OF_ONE = { notifications: 200, limit: 5 }
/** The bounds of the overview of all merchants. */
const OF_MANY = { notifications: 50, limit: 10 }
const MOST_MERCHANTS = 20

/** Reads the endpoints of one merchant from its newest 200 notifications of the last day. */
export function readEndpoints(db: Db, merNo: number, now: Date): Promise<Endpoint[]> {
  return selectEndpoints(db, [merNo], idsFrom('N', yesterday(now)), OF_ONE)
}

/**
 * Reads the ten worst endpoints among at most sixty merchants: twenty with stuck notifications, twenty with
 * notifications that were given up, and the twenty with the lowest numbers. Of each merchant, the newest 50
 * notifications of the last day are read.
 */
export async function readWorstEndpoints(db: Db, now: Date): Promise<Endpoint[]> {
  const since = yesterday(now)
  const stuck = (await listStuck(db, now)).slice(0, MOST_MERCHANTS).map(({ merNo }) => merNo)
  const others = await selectSomeMerchants(db, since, MOST_MERCHANTS)
  const merNos = [...new Set([...stuck, ...others])]
  return selectEndpoints(db, merNos, idsFrom('N', since), OF_MANY)
}

function yesterday(now: Date): Date {
  return new Date(now.getTime() - DAY_MS)
}
