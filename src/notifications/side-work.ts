// What keeps the common queue clear for all: what is due of merchants that are slow or paused is parked in lanes of their
// own, and taken from there as far as they have room; attempts of dead workers are counted and go on by the schedule.
import type { Logger } from 'pino'
import type { Clock } from '../base/clock.ts'
import type { Db } from '../postgres/db.ts'
import type { AttemptJob } from './attempt.ts'
import {
  type Claimed,
  claimParked,
  countUntried,
  type LaneRoom,
  type Lease,
  parkDue,
  putBack,
  reapDead,
  selectParkedMerchants,
  selectPaused,
} from './claim-sql.ts'
import type { Lanes } from './lanes.ts'
import { waitsMs } from './schedule.ts'

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
  /** Does what is due by now; whether there is surely more. */
  turn(): Promise<boolean>
}

const LANES_EVERY_MS = 100
/** While somebody is behind, a place that becomes free is used soon. */
const BUSY_LANES_EVERY_MS = 10
/** While there is something to park it goes on at once. */
const PARK_EVERY_MS = 50
const REAP_EVERY_MS = 1_000
const PAUSES_EVERY_MS = 1_000
const UNTRIED_EVERY_MS = 5_000
/** At most so many lanes are served in one turn. */
const MOST_ROOMS = 500

export function createSideWork(deps: SideWorkDeps): SideWork {
  const { db, clock, log, lanes, lease, dispatch, timeoutMs } = deps
  const waits = waitsMs(deps.minuteMs)
  const lanesDue = createTicker()
  const parkDueNow = createTicker()
  const reapDue = createTicker()
  const pausesDue = createTicker()
  const untriedDue = createTicker()
  let paused: readonly number[] = []
  let moreToPark = false

  /** What found no place goes back, out of the way. */
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
    const rooms = roomsOf(parked)
    if (rooms.length === 0) return
    const claimed = await claimParked(db, lease(), rooms)
    for (const { merNo, room } of rooms) {
      const isAll = claimed.filter((one) => one.merNo === merNo).length < room
      lanes.setSlow(merNo, !isAll)
    }
    if (claimed.length > 0) await dispatch(claimed)
  }

  /** From a place by chance, so that none is always the last when there is not room for all. */
  function roomsOf(merNos: readonly number[]): LaneRoom[] {
    const from = Math.floor(Math.random() * merNos.length)
    const rooms: LaneRoom[] = []
    let wanted = 0
    for (const merNo of [...merNos.slice(from), ...merNos.slice(0, from)]) {
      const room = lanes.roomOf(merNo)
      wanted += room
      if (rooms.length === MOST_ROOMS || !lanes.hasRoom(wanted)) break
      if (room > 0) rooms.push({ merNo, room })
    }
    return rooms
  }

  async function reap(): Promise<void> {
    const reaped = await reapDead(db, clock.now(), waits)
    if (reaped > 0) log.warn({ reaped }, 'a worker ended in the middle of attempts; their schedule goes on')
  }

  async function giveUpPlaces(): Promise<void> {
    const slow = lanes.slow().filter((merNo) => !paused.includes(merNo))
    if (slow.length > 0) await countUntried(db, slow, clock.now(), waits, 2 * timeoutMs)
  }

  return {
    async turn() {
      await clearWaiting()
      if (pausesDue(PAUSES_EVERY_MS)) paused = await selectPaused(db)
      if (reapDue(REAP_EVERY_MS)) await reap()
      if (untriedDue(UNTRIED_EVERY_MS)) await giveUpPlaces()
      if (parkDueNow(moreToPark ? 0 : PARK_EVERY_MS)) moreToPark = await park()
      if (lanesDue(lanes.slow().length > 0 ? BUSY_LANES_EVERY_MS : LANES_EVERY_MS)) await serveParked()
      return moreToPark
    },
  }
}

/** True when so much time has passed since it was last true. */
function createTicker(): (ms: number) => boolean {
  let lastMs = Number.NEGATIVE_INFINITY
  return (ms) => {
    const nowMs = performance.now()
    if (nowMs - lastMs < ms) return false
    lastMs = nowMs
    return true
  }
}
