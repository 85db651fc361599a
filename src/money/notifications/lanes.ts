// Limits how many notifications of each merchant are sent at the same time. Every merchant has a lane for each of its
// hosts, so no merchant uses up the slots of another, not even at a shared host. A lane widens while the host answers.
// When the host stops answering, the circuit breaker opens, and the lane narrows to a few probes. A job that finds no
// free slot soon is handed back, and its merchant counts as slow until all its parked notifications are claimed. This
// file uses neither the database nor the network.

export type LaneJob = { readonly merNo: number; readonly host: string }

export type LanesOptions<Job extends LaneJob> = {
  /** Called when a job gets a slot. `finish` frees the slot. */
  readonly start: (job: Job) => void
  /** Called when a job of a slow merchant ends, and when a merchant or the whole worker may take more jobs again. */
  readonly onEased: () => void
}

export type Lanes<Job extends LaneJob> = {
  add(job: Job, nowMs: number): void
  finish(job: Job, reached: boolean, nowMs: number): void
  /** Removes and returns the jobs that have waited too long for a slot. Their merchants count as slow from now on. */
  takeImpatient(nowMs: number): Job[]
  takeWaiting(): Job[]
  /** Returns the merchants whose notifications are currently not claimed from the common queue. */
  excluded(): number[]
  /** Returns the slow merchants and the merchants with many jobs. A deep claim excludes all of them. */
  heavy(): number[]
  slow(): number[]
  /** Returns how many more of this merchant's notifications may be claimed now. */
  freeSlotsOf(merNo: number): number
  /** Sets whether the merchant is slow. Notifications of a slow merchant are parked, outside of the common queue. */
  setSlow(merNo: number, slow: boolean): void
  jobCount(): number
  hasSlots(jobs: number): boolean
  openCircuits(): number
}

const START_WIDTH = 32
const MOST_WIDTH = 128
const PROBES = 2
const OPEN_AFTER_FAILURES = 8
const MOST_PER_MERCHANT = 128
/** A merchant with this many waiting jobs gets no more jobs from the common queue. */
const BUSY_WAITING = 64
const HEAVY_JOBS = 64
/**
 * The maximum waits for a slot: PATIENCE_MS in a lane without progress, MOVING_PATIENCE_MS in a lane that makes
 * progress. Each of the waits is shorter than a lease.
 */
const PATIENCE_MS = 250
const MOVING_PATIENCE_MS = 1_000
const MAX_JOBS = 2_048
/**
 * Above this number of jobs, a merchant becomes slow if at least HANGING_JOBS of its calls run, and the oldest of them
 * has run longer than HANGING_MS. A slow merchant gets no more jobs from the common queue.
 */
const CROWDED_JOBS = MAX_JOBS / 2
const HANGING_MS = 1_000
const HANGING_JOBS = 4
/** The number of merchants in memory above which idle merchants are removed. */
const MOST_MERCHANTS = 10_000

type Waiting<Job> = { readonly job: Job; readonly sinceMs: number }

class Lane<Job> {
  width = START_WIDTH
  running = 0
  failures = 0
  movedMs = Number.NEGATIVE_INFINITY
  waiting: Waiting<Job>[] = []

  get isOpen(): boolean {
    return this.failures >= OPEN_AFTER_FAILURES
  }

  patienceMs(nowMs: number): number {
    return nowMs - this.movedMs < PATIENCE_MS ? MOVING_PATIENCE_MS : PATIENCE_MS
  }

  learn(reached: boolean, nowMs: number): void {
    if (!reached) {
      this.failures++
      if (this.isOpen) this.width = PROBES
      return
    }
    this.width = this.isOpen ? START_WIDTH : Math.min(MOST_WIDTH, this.width + 1)
    this.failures = 0
    this.movedMs = nowMs
  }
}

// Each merchant has its own circuit breaker for each host, because merchants choose the host in `notifyUrl`. If
// merchants shared the circuit breaker of a host, a merchant could name the host of another merchant, make calls to
// that host fail, and thereby stop the other merchant's notifications.
class Shop<Job> {
  readonly lanes = new Map<string, Lane<Job>>()
  /** Jobs with their start times, oldest first. */
  readonly running = new Map<Job, number>()
  waiting = 0
  slow = false

  lane(host: string): Lane<Job> {
    const known = this.lanes.get(host)
    if (known !== undefined) return known
    const lane = new Lane<Job>()
    this.lanes.set(host, lane)
    return lane
  }

  get jobCount(): number {
    return this.running.size + this.waiting
  }

  hangs(nowMs: number): boolean {
    const [oldest] = this.running.values()
    return this.running.size >= HANGING_JOBS && oldest !== undefined && nowMs - oldest > HANGING_MS
  }
}

export function createLanes<Job extends LaneJob>(options: LanesOptions<Job>): Lanes<Job> {
  const shops = new Map<number, Shop<Job>>()
  let jobCount = 0

  function shopOf(merNo: number): Shop<Job> {
    const known = shops.get(merNo)
    if (known !== undefined) return known
    for (const [oldest, shop] of shops) {
      if (shops.size < MOST_MERCHANTS) break
      if (shop.jobCount === 0 && !shop.slow) shops.delete(oldest)
    }
    const shop = new Shop<Job>()
    shops.set(merNo, shop)
    return shop
  }

  function mayStart(shop: Shop<Job>, lane: Lane<Job>): boolean {
    return lane.running < lane.width && shop.running.size < MOST_PER_MERCHANT
  }

  function start(shop: Shop<Job>, lane: Lane<Job>, job: Job, nowMs: number): void {
    lane.running++
    shop.running.set(job, nowMs)
    options.start(job)
  }

  function startWaiting(shop: Shop<Job>, nowMs: number): void {
    for (const lane of shop.lanes.values()) {
      while (mayStart(shop, lane)) {
        const next = lane.waiting.shift()
        if (next === undefined) break
        shop.waiting--
        start(shop, lane, next.job, nowMs)
      }
    }
  }

  function takeBack(shop: Shop<Job>, lane: Lane<Job>, sinceMs: number): Job[] {
    const staying = lane.waiting.findIndex((waiting) => waiting.sinceMs > sinceMs)
    const taken = lane.waiting.splice(0, staying < 0 ? lane.waiting.length : staying)
    shop.waiting -= taken.length
    jobCount -= taken.length
    return taken.map(({ job }) => job)
  }

  return {
    add(job, nowMs) {
      const shop = shopOf(job.merNo)
      const lane = shop.lane(job.host)
      jobCount++
      if (mayStart(shop, lane)) return start(shop, lane, job, nowMs)
      lane.waiting.push({ job, sinceMs: nowMs })
      shop.waiting++
    },

    finish(job, reached, nowMs) {
      const shop = shopOf(job.merNo)
      const lane = shop.lane(job.host)
      const wasTight = jobCount > MAX_JOBS - BUSY_WAITING || shop.waiting >= BUSY_WAITING
      lane.running--
      shop.running.delete(job)
      jobCount--
      lane.learn(reached, nowMs)
      startWaiting(shop, nowMs)
      const isTight = jobCount > MAX_JOBS - BUSY_WAITING || shop.waiting >= BUSY_WAITING
      if (shop.slow || (wasTight && !isTight)) options.onEased()
    },

    takeImpatient(nowMs) {
      const taken: Job[] = []
      const crowded = jobCount > CROWDED_JOBS
      for (const shop of shops.values()) {
        if (crowded && shop.hangs(nowMs)) shop.slow = true
        for (const lane of shop.waiting > 0 ? shop.lanes.values() : []) {
          const impatient = takeBack(shop, lane, nowMs - lane.patienceMs(nowMs))
          if (impatient.length > 0) shop.slow = true
          taken.push(...impatient)
        }
      }
      return taken
    },

    takeWaiting() {
      return [...shops.values()].flatMap((shop) =>
        [...shop.lanes.values()].flatMap((lane) => takeBack(shop, lane, Number.POSITIVE_INFINITY)),
      )
    },

    excluded: () => merNosWhere((shop) => shop.slow || shop.waiting >= BUSY_WAITING),
    heavy: () => merNosWhere((shop) => shop.slow || shop.jobCount >= HEAVY_JOBS),
    slow: () => merNosWhere((shop) => shop.slow),

    freeSlotsOf(merNo) {
      const shop = shops.get(merNo)
      if (shop === undefined) return START_WIDTH
      let free = shop.lanes.size === 0 ? START_WIDTH : 0
      for (const lane of shop.lanes.values()) free += Math.max(0, lane.width - lane.running)
      return Math.max(0, Math.min(free, MOST_PER_MERCHANT - shop.running.size) - shop.waiting)
    },

    setSlow(merNo, slow) {
      shopOf(merNo).slow = slow
    },

    jobCount: () => jobCount,
    hasSlots: (jobs) => jobCount + jobs <= MAX_JOBS,
    openCircuits() {
      const lanes = [...shops.values()].flatMap((shop) => [...shop.lanes.values()])
      return lanes.filter((lane) => lane.isOpen).length
    },
  }

  function merNosWhere(isSo: (shop: Shop<Job>) => boolean): number[] {
    const found: number[] = []
    for (const [merNo, shop] of shops) if (isSo(shop)) found.push(merNo)
    return found
  }
}
