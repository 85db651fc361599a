// Checks independently of the workers whether due notifications are sent. The watchdog runs in every gateway, also in a
// gateway without a delivery worker, so that the loss of all workers is reported. Notifications of paused merchants do
// not count as overdue.
import type { Logger } from 'pino'
import type { Clock } from '../../platform/base/clock.ts'
import type { Interval } from '../../platform/concurrency/repeat.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { countQueue, countStuck, type StuckCounts, type StuckMerchant, selectStuck } from './claim-sql.ts'

export type DeliveryHealth = {
  /** Notifications due for more than ten seconds, without an attempt in progress. The count stops at a bound. */
  readonly overdue: number
  readonly oldestDueSeconds: number
  /** Parked notifications: of slow or paused merchants, or resent on request. The count stops at a bound. */
  readonly parked: number
  /** Notifications that are still to be delivered and are not parked. The count stops at a bound. */
  readonly pending: number
}

export type Watchdog = {
  health(): DeliveryHealth
  check(): Promise<DeliveryHealth>
  stop(): Promise<void>
}

export type WatchdogDeps = Interval & { readonly db: Db; readonly clock: Clock; readonly log: Logger }

const OVERDUE_AFTER_MS = 10_000

export function startWatchdog(deps: WatchdogDeps): Watchdog {
  let health: DeliveryHealth = { overdue: 0, oldestDueSeconds: 0, parked: 0, pending: 0 }
  let checking: Promise<unknown> = Promise.resolve()
  const check = async () => {
    const before = health
    health = await measure(deps.db, deps.clock.now())
    logChange(deps.log, before, health)
    return health
  }
  const timer = setInterval(() => {
    checking = check().catch((error: Error) =>
      deps.log.error({ err: error }, 'the notification watchdog could not read the queue'),
    )
  }, deps.everyMs)
  timer.unref()
  return {
    health: () => health,
    check,
    async stop() {
      clearInterval(timer)
      await checking
    },
  }
}

const MOST_LISTED = 200

/** Counts stuck (retrying or overdue) notifications. Notifications of paused merchants do not count. */
export function readStuck(db: Db, now: Date): Promise<StuckCounts> {
  return countStuck(db, new Date(now.getTime() - OVERDUE_AFTER_MS))
}

/** Lists the merchants with stuck notifications, by the definition of `readStuck`. */
export function listStuck(db: Db, now: Date): Promise<StuckMerchant[]> {
  return selectStuck(db, new Date(now.getTime() - OVERDUE_AFTER_MS), MOST_LISTED)
}

function logChange(
  log: Logger,
  before: DeliveryHealth,
  { overdue, oldestDueSeconds, parked }: DeliveryHealth,
): void {
  if (overdue > 0) log.warn({ overdue, oldestDueSeconds, parked }, 'notifications are overdue')
  else if (before.overdue > 0) log.info('no notification is overdue any more')
}

async function measure(db: Db, now: Date): Promise<DeliveryHealth> {
  const { oldest, ...counts } = await countQueue(db, new Date(now.getTime() - OVERDUE_AFTER_MS))
  const oldestDueSeconds = oldest === null ? 0 : Math.round((now.getTime() - oldest.getTime()) / 1000)
  return { ...counts, oldestDueSeconds }
}
