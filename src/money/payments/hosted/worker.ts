// Closes hosted orders that were not paid in time. An order with an open attempt is closed only after the attempt is
// decided. Any number of nodes may run this worker, because closing locks the orders and is idempotent.
import type { Logger } from 'pino'
import type { Clock } from '../../../platform/base/clock.ts'
import { isolateFailures } from '../../../platform/concurrency/isolate-failures.ts'
import { type Interval, type Repetition, repeat } from '../../../platform/concurrency/repeat.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import type { OrderKey } from '../../orders/order.ts'
import { closeOrders } from '../cancel-payment.ts'
import { EXPIRED } from '../decide-outcome.ts'
import { removeDecided, selectExpired } from './sql.ts'

export type HostedWorkerDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly log: Logger
  readonly pokeDelivery: () => void
  readonly alarm: (tradeNo: string, what: string) => void
}

const AT_ONCE = 200
// The time by which the expiry of an order is extended if the order is still open. If its open attempt fails, the payer
// can try another method until then.
const CHECK_AGAIN_MS = 10 * 60_000

export function startHostedWorker(deps: HostedWorkerDeps & Interval): Repetition {
  return repeat({
    everyMs: deps.everyMs,
    work: () => closeExpired(deps),
    failed: (error) => deps.log.error({ err: error }, 'orders on our pages could not be ended'),
  })
}

/** Closes all expired orders, one batch after the other. Returns the number of closed orders. */
export async function closeExpired(deps: HostedWorkerDeps): Promise<number> {
  const at = deps.clock.now()
  let closed = 0
  for (let isMore = true; isMore; ) {
    const expired = await selectExpired(deps.db, at, AT_ONCE)
    closed += await closeAll(deps, expired, at)
    // This call also postpones the expired orders that could not be closed.
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
