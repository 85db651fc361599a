// Looks from outside of the workers whether deliveries that are due move. It runs in every gateway, also in those that
// deliver nothing: if all workers are gone, somebody has to say so. Paused merchants' are not expected to move.
import type { Logger } from 'pino'
import type { Clock } from '../base/clock.ts'
import type { Db } from '../postgres/db.ts'
import { alongTheIndex, lanesText } from './queue-walk.ts'

export type DeliveryHealth = {
  /** Due for longer than that and not under way; counted up to a bound. */
  readonly overdue: number
  readonly oldestDueSeconds: number
  /** Of slow merchants, in lanes of their own; counted up to a bound. */
  readonly parked: number
  /** Still to be delivered; counted up to a bound. */
  readonly pending: number
}

export type Watchdog = {
  /** As of a moment ago. */
  health(): DeliveryHealth
  /** Looks now. */
  look(): Promise<DeliveryHealth>
  stop(): Promise<void>
}

export type WatchdogDeps = { readonly db: Db; readonly clock: Clock; readonly log: Logger }

const LOOK_EVERY_MS = 5_000
const OVERDUE_AFTER_MS = 10_000
const MOST_COUNTED = 10_000

export function startWatchdog(deps: WatchdogDeps): Watchdog {
  let health: DeliveryHealth = { overdue: 0, oldestDueSeconds: 0, parked: 0, pending: 0 }
  let looking: Promise<unknown> = Promise.resolve()
  const look = async () => {
    const before = health
    health = await measure(deps.db, deps.clock.now())
    tell(deps.log, before, health)
    return health
  }
  const timer = setInterval(() => {
    looking = look().catch((error: Error) =>
      deps.log.error({ err: error }, 'the notification watchdog could not look'),
    )
  }, LOOK_EVERY_MS)
  timer.unref()
  return {
    health: () => health,
    look,
    async stop() {
      clearInterval(timer)
      await looking
    },
  }
}

function tell(
  log: Logger,
  before: DeliveryHealth,
  { overdue, oldestDueSeconds, parked }: DeliveryHealth,
): void {
  if (overdue > 0) log.warn({ overdue, oldestDueSeconds, parked }, 'notifications are due and do not move')
  else if (before.overdue > 0) log.info('notifications move again')
}

type Counted = { overdue: number; oldest: Date | null; parked: number; pending: number }

async function measure(db: Db, now: Date): Promise<DeliveryHealth> {
  const [row] = await alongTheIndex<Counted>(db, {
    text: measureText,
    values: [new Date(now.getTime() - OVERDUE_AFTER_MS)],
  })
  const { overdue = 0, oldest = null, parked = 0, pending = 0 } = row ?? {}
  const oldestDueSeconds = oldest === null ? 0 : Math.round((now.getTime() - oldest.getTime()) / 1000)
  return { overdue, oldestDueSeconds, parked, pending }
}

// The counts stop at their bound, and lanes of paused merchants are passed over as a whole: a million that wait cost no
// more than the bound.
const isLate = 'due_at <= $1 and leased_until is null'
const isPaused = 'mer_no in (select mer_no from notification_pauses)'
export const measureText = `
  with recursive ${lanesText}, late as (
    (select due_at from notifications where not parked and ${isLate} and not ${isPaused}
      order by due_at limit ${MOST_COUNTED})
    union all
    (select parked.due_at
      from (select mer_no from lanes where mer_no is not null and not ${isPaused}) as lane
      cross join lateral (
        select due_at from notifications where parked and mer_no = lane.mer_no and ${isLate}
        order by due_at limit ${MOST_COUNTED}
      ) as parked
      limit ${MOST_COUNTED})
  )
  select (select count(*)::int from late) as overdue, (select min(due_at) from late) as oldest,
    (select count(*)::int from (select from notifications where parked limit ${MOST_COUNTED}) p) as parked,
    (select count(*)::int from (
      select from notifications where due_at is not null and not parked limit ${MOST_COUNTED}) d) as pending`
