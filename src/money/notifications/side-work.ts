// The work beside the common queue:
// - parks due notifications of slow or paused merchants, so that the common queue stays short;
// - claims parked notifications as slots become free;
// - ends the attempts of dead workers, whose notifications keep their schedule;
// - sets the due time of notifications that were handed over to a worker. Without a due time, such a notification would
//   not be found if its worker died.
import type { Logger } from 'pino'
import type { Clock } from '../../platform/base/clock.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { createSweeper } from '../../platform/postgres/sweep.ts'
import type { AttemptJob } from './attempt.ts'
import {
  type Claimed,
  claimParked,
  countUntried,
  type LaneSlots,
  type Lease,
  parkDue,
  putBack,
  reapDead,
  selectParkedMerchants,
  selectPaused,
  sweptNotifications,
} from './claim-sql.ts'
import type { Lanes } from './lanes.ts'
import { leaseMs, waitsMs } from './schedule.ts'

export type SideWorkDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly log: Logger
  readonly lanes: Lanes<AttemptJob>
  readonly lease: () => Lease
  readonly dispatch: (claimed: readonly Claimed[]) => Promise<void>
  readonly minuteMs: number
  readonly timeoutMs: number
}

export type SideWork = {
  /** Does the work that is due. Returns true if there is certainly more work. */
  turn(): Promise<boolean>
  paused(): readonly number[]
}

const LANES_EVERY_MS = 100
/** The short interval for claiming parked notifications of a slow merchant, so that a free slot is used soon. */
const BUSY_LANES_EVERY_MS = 10
/** The interval of parking. After a turn that parked notifications, the next turn parks again without this wait. */
const PARK_EVERY_MS = 50
const REAP_EVERY_MS = 1_000
const PAUSES_EVERY_MS = 1_000
const UNTRIED_EVERY_MS = 5_000
const MAX_LANES = 500

export function createSideWork(deps: SideWorkDeps): SideWork {
  const { db, clock, log, lanes, lease, dispatch, timeoutMs } = deps
  const waits = waitsMs(deps.minuteMs)
  const lanesDue = createTicker()
  const parkDueNow = createTicker()
  const reapDue = createTicker()
  const pausesDue = createTicker()
  const untriedDue = createTicker()
  const sweepSometimes = createSweeper(db, sweptNotifications, {
    // A lease is longer than this interval, so a notification that was handed over gets its due time before its lease
    // ends.
    everyMs: timeoutMs,
    failed: (err) => log.error({ err }, 'new notifications could not be swept; tried again'),
  })
  let paused: readonly number[] = []
  let moreToPark = false

  async function clearWaiting(): Promise<void> {
    const impatient = lanes.takeImpatient(performance.now())
    if (impatient.length > 0)
      await putBack(
        db,
        impatient.map(({ claimed }) => claimed),
        true,
      )
  }

  async function park(): Promise<boolean> {
    const aside = [...lanes.slow(), ...paused]
    return aside.length > 0 && (await parkDue(db, aside, clock.now())) > 0
  }

  async function serveParked(): Promise<void> {
    const parked = await selectParkedMerchants(db)
    for (const merNo of lanes.slow()) if (!parked.includes(merNo)) lanes.setSlow(merNo, false)
    const free = freeLanes(parked)
    if (free.length === 0) return
    const claimed = await claimParked(db, lease(), free)
    for (const { merNo, slots } of free) {
      const isAll = claimed.filter((one) => one.merNo === merNo).length < slots
      lanes.setSlow(merNo, !isAll)
    }
    if (claimed.length > 0) await dispatch(claimed)
  }

  /** Returns the free slots, starting at a random merchant, so that no merchant is always last if slots are scarce. */
  function freeLanes(merNos: readonly number[]): LaneSlots[] {
    const from = Math.floor(Math.random() * merNos.length)
    const free: LaneSlots[] = []
    let wanted = 0
    for (const merNo of [...merNos.slice(from), ...merNos.slice(0, from)]) {
      const slots = lanes.freeSlotsOf(merNo)
      wanted += slots
      if (free.length === MAX_LANES || !lanes.hasSlots(wanted)) break
      if (slots > 0) free.push({ merNo, slots })
    }
    return free
  }

  async function reap(): Promise<void> {
    const reaped = await reapDead(db, { now: clock.now(), leaseMs: leaseMs(timeoutMs), waits })
    if (reaped > 0) log.warn({ reaped }, 'a worker died during attempts; their schedule continues')
  }

  async function giveUpPlaces(): Promise<void> {
    const slow = lanes.slow().filter((merNo) => !paused.includes(merNo))
    if (slow.length > 0) await countUntried(db, slow, clock.now(), waits, 2 * timeoutMs)
  }

  return {
    paused: () => paused,
    async turn() {
      await clearWaiting()
      if (pausesDue(PAUSES_EVERY_MS)) paused = await selectPaused(db)
      await sweepSometimes()
      if (reapDue(REAP_EVERY_MS)) await reap()
      if (untriedDue(UNTRIED_EVERY_MS)) await giveUpPlaces()
      if (parkDueNow(moreToPark ? 0 : PARK_EVERY_MS)) moreToPark = await park()
      if (lanesDue(lanes.slow().length > 0 ? BUSY_LANES_EVERY_MS : LANES_EVERY_MS)) await serveParked()
      return moreToPark
    },
  }
}

/** Returns a function that returns true if at least `ms` have passed since it last returned true. */
function createTicker(): (ms: number) => boolean {
  let lastMs = Number.NEGATIVE_INFINITY
  return (ms) => {
    const nowMs = performance.now()
    if (nowMs - lastMs < ms) return false
    lastMs = nowMs
    return true
  }
}
