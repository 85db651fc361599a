// Ends orders on our pages that were not paid in time. An order with an open attempt waits for it. Any number of nodes may
// run this: closing locks the orders, and closing one twice has no further effect.
import type { Logger } from 'pino'
import type { Clock } from '../../base/clock.ts'
import { isolateFailures } from '../../concurrency/isolate-failures.ts'
import { type Repetition, repeat } from '../../concurrency/repeat.ts'
import type { OrderKey } from '../../orders/order.ts'
import type { Db } from '../../postgres/db.ts'
import { closeOrders } from '../close-orders.ts'
import { EXPIRED } from '../decide-outcome.ts'
import { removeDecided, selectExpired } from './sql.ts'

export type HostedWorkerDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly log: Logger
  /** Called when there are new notifications to deliver. */
  readonly pokeDelivery: () => void
  /** Called when an operator must check something. */
  readonly alarm: (tradeNo: string, what: string) => void
}

const POLL_MS = 1_000
const AT_ONCE = 200
// A payer whose attempt fails after that time has this long to try another method.
const CHECK_AGAIN_MS = 10 * 60_000

export function startHostedWorker(deps: HostedWorkerDeps): Repetition {
  return repeat({
    everyMs: POLL_MS,
    work: () => closeExpired(deps),
    failed: (error) => deps.log.error({ err: error }, 'orders on our pages could not be ended'),
  })
}

/** Repeats until no expired order is left. Returns how many orders were ended. */
export async function closeExpired(deps: HostedWorkerDeps): Promise<number> {
  const at = deps.clock.now()
  let closed = 0
  for (let isMore = true; isMore; ) {
    const expired = await selectExpired(deps.db, at, AT_ONCE)
    closed += await closeAll(deps, expired, at)
    // Also the time of the next try for an order that could not be ended.
    await removeDecided(deps.db, expired, new Date(at.getTime() + CHECK_AGAIN_MS))
    isMore = expired.length === AT_ONCE
  }
  if (closed > 0) deps.pokeDelivery()
  return closed
}

async function closeAll(
  { db, alarm }: HostedWorkerDeps,
  keys: readonly OrderKey[],
  at: Date,
): Promise<number> {
  const closing = { message: EXPIRED, at }
  const failed = ({ tradeNo }: OrderKey, error: unknown) =>
    alarm(tradeNo, `its time is over, and it could not be ended: ${String(error)}`)
  const counts = await isolateFailures(keys, (some) => closeOrders(db, some, closing), failed)
  return counts.reduce((sum, count) => sum + count, 0)
}
