// Checks independently of the workers whether due notifications are sent. It runs in every gateway, also without a delivery
// worker: if all workers are gone, some process must report it. Notifications of paused merchants do not count.
import type { Logger } from 'pino'
import type { Clock } from '../base/clock.ts'
import type { Db } from '../postgres/db.ts'
import { countQueue, type OverdueMerchant, selectOverdue } from './watchdog-sql.ts'

export type DeliveryHealth = {
  /** Due for more than ten seconds and not under way; counted up to a bound. */
  readonly overdue: number
  readonly oldestDueSeconds: number
  /** Parked in the lanes of slow merchants; counted up to a bound. */
  readonly parked: number
  /** Still to be delivered; counted up to a bound. */
  readonly pending: number
}

export type Watchdog = {
  /** The result of the last check. */
  health(): DeliveryHealth
  /** Checks now. */
  check(): Promise<DeliveryHealth>
  stop(): Promise<void>
}

export type WatchdogDeps = { readonly db: Db; readonly clock: Clock; readonly log: Logger }

const CHECK_EVERY_MS = 5_000
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
  }, CHECK_EVERY_MS)
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

/** Whose notifications are overdue now. */
export function listOverdue(db: Db, now: Date): Promise<OverdueMerchant[]> {
  return selectOverdue(db, new Date(now.getTime() - OVERDUE_AFTER_MS), MOST_LISTED)
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
