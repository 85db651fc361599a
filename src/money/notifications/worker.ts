// Delivers due notifications. Any number of workers share one database. A claim skips rows that another worker has
// locked. A lease, which is a little longer than the time-out, bounds how long a dead worker blocks a row. A single
// loop claims notifications. Sending runs concurrently, outside of any transaction, within the limits of the lanes
// (lanes.ts).
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Clock } from '../../platform/base/clock.ts'
import type { Interval } from '../../platform/concurrency/repeat.ts'
import { createBatcher } from '../../platform/postgres/batch.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { createFailureAlerts } from './alert-failures.ts'
import { type AttemptJob, type PrepareDeps, prepareAttempts, resultOf } from './attempt.ts'
import { CLAIM_LIMIT, type Claimed, claimDue, putBack } from './claim-sql.ts'
import type { HandOver } from './hand-over.ts'
import { createLanes, type Lanes } from './lanes.ts'
import { leaseMs, TIMEOUT_MS } from './schedule.ts'
import type { Sender, SendOutcome } from './send.ts'
import { createSideWork } from './side-work.ts'
import { type AttemptResult, recordResults } from './sql.ts'
import { headersOf } from './wire.ts'

export type DeliveryDeps = PrepareDeps &
  Interval & {
    readonly db: Db
    readonly clock: Clock
    readonly log: Logger
    readonly sender: Sender
    readonly minuteMs: number
    readonly timeoutMs?: number
    readonly observe?: ObserveDelivery
  }

export type DeliveryOutcome = 'delivered' | 'refused' | 'unreachable'
export type ObserveDelivery = (outcome: DeliveryOutcome, lateMs: number, latencyMs: number) => void

export type DeliveryWorker = HandOver & {
  /** Claims immediately, because something may be due. */
  poke(): void
  jobCount(): number
  openCircuits(): number
  /** Stops claiming, gives attempts in progress a few seconds to end, and records them. */
  stop(): Promise<void>
}

/** Above this number of jobs, claims are less frequent, because only hanging hosts cause so many jobs. */
const EASY_JOBS = 400
const CROWDED_CLAIM_MS = 25
const DEEP_EVERY_MS = 100
const DEEP_SHARE = 20
const CROWD = CLAIM_LIMIT / 10
const MAX_BATCH = 512
/**
 * The time that results wait to be recorded together, because a statement for each result would cost more. Only the
 * next notification of the same order waits for a recorded result.
 */
const RECORD_EVERY_MS = 20
const STOP_GRACE_MS = 5_000
const RECORD_TRIES = 8
const RECORD_AGAIN_MS = 500

export function startDelivery(deps: DeliveryDeps): DeliveryWorker {
  const { db, clock, log, sender, minuteMs, everyMs, timeoutMs = TIMEOUT_MS } = deps
  let underWay = 0
  let allRecorded = () => {}
  const results = createBatcher<AttemptResult, undefined>({
    maxBatch: MAX_BATCH,
    everyMs: RECORD_EVERY_MS,
    maxQueue: Number.POSITIVE_INFINITY,
    flush: async (batch) => {
      await recordResults(db, batch)
      return batch.map(() => undefined)
    },
  })
  const failures = createFailureAlerts(deps)
  let stopped = false
  let poked = false
  let deepClaimFromMs = 0
  let claimedMs = 0
  let tending: Promise<void> | undefined
  let moreAside = false
  /** The preparation of the last claim. The preparation runs while the next notifications are claimed. */
  let dispatched: Promise<void> = Promise.resolve()
  /** The preparations of notifications that were handed over. */
  const handed = new Set<Promise<void>>()
  let preparing = 0
  let wake = () => {}

  const poke = () => {
    poked = true
    wake()
  }
  const lanes: Lanes<AttemptJob> = createLanes({ start: send, onEased: poke })
  const lease = () => {
    const now = clock.now()
    return { now, until: new Date(now.getTime() + leaseMs(timeoutMs)) }
  }
  const sideWork = createSideWork({ db, clock, log, lanes, lease, dispatch, minuteMs, timeoutMs })

  async function loop(): Promise<void> {
    while (!stopped) {
      poked = false
      const more = await turn().catch((error: Error) => {
        log.error({ err: error }, 'notifications could not be claimed; tried again')
        return false
      })
      if (!more && !poked && !stopped) await rest(everyMs)
      const crowdedMs = claimedMs + CROWDED_CLAIM_MS - performance.now()
      if (lanes.jobCount() > EASY_JOBS && crowdedMs > 0 && !stopped) await rest(crowdedMs)
    }
  }

  function rest(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /** Starts the side work concurrently with the claims, so that claims do not wait for the side work. */
  function tend(): void {
    tending ??= sideWork
      .turn()
      .then((more) => {
        moreAside = more
      })
      .catch((error: Error) =>
        log.error({ err: error }, 'slow notifications could not be processed; tried again'),
      )
      .finally(() => {
        tending = undefined
      })
  }

  async function turn(): Promise<boolean> {
    tend()
    // This claim needs slots, and so does the previous claim, which may still be in preparation.
    if (!lanes.hasSlots(2 * CLAIM_LIMIT)) return false
    const excluded = lanes.excluded()
    claimedMs = performance.now()
    const claimed = await claimDue(db, lease(), { excluded })
    await dispatchNext(claimed)
    const isLong = claimed.length === CLAIM_LIMIT || excluded.length > 0
    if (isLong && performance.now() > deepClaimFromMs) await claimDeep(crowdIn(claimed))
    return moreAside || claimed.length === CLAIM_LIMIT
  }

  /** Claims notifications behind those of merchants with many notifications. The scan is long, so it is rare. */
  async function claimDeep(crowd: readonly number[]): Promise<void> {
    // The previous claim is dispatched first, so that the lanes know which merchants have many jobs. These merchants
    // are excluded here, and so are those that crowd the queue but whose jobs ended quickly.
    await dispatched
    if (!lanes.hasSlots(CLAIM_LIMIT)) return
    const begunMs = performance.now()
    const claimed = await claimDue(db, lease(), { excluded: [...lanes.heavy(), ...crowd], deep: true })
    await dispatchNext(claimed)
    const nowMs = performance.now()
    deepClaimFromMs = nowMs + Math.max(DEEP_EVERY_MS, DEEP_SHARE * (nowMs - begunMs))
  }

  /** Dispatches a claim after the previous claim is dispatched, so that the lanes know all claims except the last. */
  async function dispatchNext(claimed: readonly Claimed[]): Promise<void> {
    await dispatched
    if (claimed.length > 0) dispatched = dispatch(claimed)
  }

  /** Prepares and starts attempts. Never fails. */
  async function dispatch(claimed: readonly Claimed[]): Promise<void> {
    // The next claim is sent first, so that the database processes it while these notifications are prepared and sent.
    await nextTurn()
    try {
      const jobs = await prepareAttempts(deps, claimed)
      const nowMs = performance.now()
      for (const job of jobs) lanes.add(job, nowMs)
    } catch (error) {
      log.error({ err: error }, 'claimed notifications could not be prepared; they are put back')
      await giveBack(claimed)
    }
  }

  /** Gives up the leases. Never fails. If the database is unreachable, the leases end by themselves. */
  function giveBack(claimed: readonly Claimed[]): Promise<void> {
    return putBack(db, claimed, false).catch(() => {})
  }

  /** Gives up leases after a lost connection, with retries, because the database may be unreachable. Never fails. */
  async function releaseSoon(claimed: readonly Claimed[]): Promise<void> {
    for (let tries = 1; tries < RECORD_TRIES && !stopped; tries++) {
      await sleep(RECORD_AGAIN_MS)
      const isDone = await putBack(db, claimed, false).then(
        () => true,
        () => false,
      )
      if (isDone) return poke()
    }
  }

  function take(claimed: readonly Claimed[], work: Promise<void>): void {
    preparing += claimed.length
    const one = work.finally(() => {
      preparing -= claimed.length
      handed.delete(one)
    })
    handed.add(one)
  }

  // This function runs for every delivery, so it uses a callback: an async function would cost more.
  function send(job: AttemptJob): void {
    const leftAt = clock.now()
    underWay++
    outcomeOf(job, leftAt).then((outcome) => ended(job, leftAt, outcome))
  }

  function outcomeOf(job: AttemptJob, at: Date): Promise<SendOutcome> {
    const { claimed, target: url, body, webhookSecret, unsendable } = job
    if (url === undefined || unsendable !== undefined) return Promise.resolve(notSent(unsendable ?? ''))
    const { notificationId, event } = claimed
    return sender.send({ url, body, headers: headersOf({ notificationId, event, body, webhookSecret, at }) })
  }

  function ended(job: AttemptJob, leftAt: Date, outcome: SendOutcome): void {
    lanes.finish(job, !outcome.unreachable, performance.now())
    if (lanes.jobCount() === EASY_JOBS) wake()
    const result = resultOf(job, { outcome, leftAt, finishedAt: clock.now(), minuteMs })
    const kind = result.error === undefined ? 'delivered' : outcome.unreachable ? 'unreachable' : 'refused'
    deps.observe?.(kind, leftAt.getTime() - job.claimed.dueAtMs, outcome.latencyMs)
    record(result, 1)
    if (result.error !== undefined && result.nextDueAt === undefined) failures.report(job.claimed)
  }

  /** Records a result, with retries. If all retries fail, the attempt ends like an attempt of a dead worker. */
  function record(result: AttemptResult, tries: number): void {
    results.submit(result).then(recorded, (error: Error) => {
      if (tries < RECORD_TRIES) {
        setTimeout(() => record(result, tries + 1), RECORD_AGAIN_MS)
        return
      }
      log.error({ err: error, notificationId: result.notificationId }, 'an attempt could not be recorded')
      recorded()
    })
  }

  function recorded(): void {
    underWay--
    if (underWay === 0) allRecorded()
  }

  const looping = loop()
  return {
    poke,
    offer() {
      // Slots beyond EASY_JOBS are kept for notifications that have to be claimed.
      if (stopped || lanes.jobCount() + preparing > EASY_JOBS) return undefined
      return { leasedUntil: lease().until, excluded: [...lanes.excluded(), ...sideWork.paused()] }
    },
    deliver(claimed) {
      take(claimed, stopped ? giveBack(claimed) : dispatch(claimed))
    },
    release(claimed) {
      take(claimed, releaseSoon(claimed))
    },
    jobCount: lanes.jobCount,
    openCircuits: lanes.openCircuits,
    async stop() {
      stopped = true
      wake()
      await looping
      await tending
      await dispatched
      await Promise.all(handed)
      const cut = setTimeout(() => sender.close(), STOP_GRACE_MS)
      const waiting = lanes.takeWaiting()
      if (waiting.length > 0)
        await putBack(
          db,
          waiting.map(({ claimed }) => claimed),
          false,
        )
      if (underWay > 0)
        await new Promise<void>((resolve) => {
          allRecorded = resolve
        })
      clearTimeout(cut)
      sender.close()
    },
  }
}

/** Returns the merchants that a claim has many notifications of. The next ordinary claim continues with them. */
function crowdIn(claimed: readonly Claimed[]): number[] {
  const byMerchant = Map.groupBy(claimed, ({ merNo }) => merNo)
  return [...byMerchant].filter(([, own]) => own.length >= CROWD).map(([merNo]) => merNo)
}

function notSent(error: string): SendOutcome {
  return { latencyMs: 0, status: undefined, answer: '', error, unreachable: false }
}
