// Admission control. The gate decides which requests of merchants begin, and counts the work that a stop waits for.
//
// Requests in progress are bounded because they take memory. Working requests, which do not wait for a channel, are
// bounded because they share the processor and the database. There is a flood while more requests are refused than
// enter. In a flood, the bound of working requests is lower, so that accepted requests stay fast and refusals take
// milliseconds.
//
// A full gateway refuses the merchants that send the most, and refuses every merchant only from a higher bound on. So a
// flood of one merchant hardly affects the others. A request enters after its signature was verified, so that strangers
// cannot use up the places. See docs/decisions/0198-overload-is-shared-fairly.md.

/**
 * The maximum number of working requests. This number of requests is about 0.2 s of work. The benchmark reaches its
 * highest rate with this number of connections.
 */
export const MOST_WORKING = 256
/**
 * The maximum number of working requests in a flood. With a lower maximum, batches would be too small for a high rate.
 */
export const MOST_IN_FLOOD = 32
/** The gateway is busy if the working requests reach this share of their bound. */
const BUSY_SHARE = 0.25
/** There is a flood if more requests were recently refused than recently entered, and more than this number. */
const LEAST_REFUSED = 64
/** The half-life of the counts of recent requests. */
export const HALF_LIFE_MS = 300
const CHECK_EVERY_MS = 50
/**
 * The number of counted requests at which the counts by merchant are halved. At a high rate, the counts cover about the
 * last half second.
 */
const LATEST = 512
/**
 * Merchants with few requests still get in up to this multiple of a bound. In a flood, they get in up to the full bound
 * of working requests.
 */
export const FAIR_UP_TO = 2
/**
 * A merchant with at least this share of the largest merchant's requests is refused too, so that merchants with similar
 * floods are treated alike.
 */
const LARGE_SHARE = 0.5

/** Why a request is refused. `share`: the merchant sends far more than others. `full`: every merchant is refused. */
type RefusedFor = 'share' | 'full'

type GateOptions = {
  /** The number of requests in progress at which the gateway is full. */
  readonly most: number
  /** The number of working requests at which the gateway is full. Default: `most`. */
  readonly mostWorking?: number
  readonly refused?: (reason: RefusedFor) => void
  /** A monotonic clock. Default: the clock of the process. */
  readonly nowMs?: () => number
}

export class Gate {
  readonly #options: GateOptions
  readonly #underWay = new MerchantCounts()
  /**
   * The recently admitted requests by merchant. If too many requests work, the merchants with the most admitted
   * requests are refused. The number of a merchant's working requests would be a wrong measure of its rate, because
   * slow requests raise that number even at a low rate.
   */
  readonly #latest = new MerchantCounts()
  /** How many requests recently entered, and how many were refused. */
  #entered = 0
  #refused = 0
  /** The requests in progress that do not wait for a channel. */
  #working = 0
  /** Other work in progress, which is never refused. */
  #others = 0
  #isFlooded = false
  #checkedAtMs = 0

  constructor(options: GateOptions) {
    this.#options = options
  }

  get underWay(): number {
    return this.#underWay.total + this.#others
  }

  get isFull(): boolean {
    return this.#working >= this.#placesToWork || this.underWay >= this.#options.most
  }

  get #placesToWork(): number {
    const { most, mostWorking = most } = this.#options
    return this.#isFlooded ? Math.min(MOST_IN_FLOOD, mostWorking) : mostWorking
  }

  /** Returns false if the request is refused. If the result is true, the caller must call `leave` later. */
  enter(merNo: number): boolean {
    if (this.refuses(merNo)) return false
    this.#add(merNo)
    this.#entered++
    this.#latest.add(merNo)
    if (this.#latest.total === LATEST) this.#latest.halve()
    return true
  }

  /** True if background work should leave the machine to payments. */
  isBusy(): boolean {
    return this.#working >= BUSY_SHARE * this.#placesToWork
  }

  isFlooded(): boolean {
    this.#checkForFlood()
    return this.#isFlooded
  }

  /**
   * True if the next request of this merchant is refused. The merchant's counts do not change, so the merchant number
   * may be unverified.
   */
  refuses(merNo: number): boolean {
    this.#checkForFlood()
    const { most, mostWorking = most, refused } = this.#options
    const mostFair = this.#isFlooded ? mostWorking : FAIR_UP_TO * mostWorking
    const reason =
      refusalBy(this.#latest, merNo, this.#working, this.#placesToWork, mostFair) ??
      refusalBy(this.#underWay, merNo, this.underWay, most, FAIR_UP_TO * most)
    if (reason === undefined) return false
    this.#refused++
    refused?.(reason)
    return true
  }

  #checkForFlood(): void {
    const { nowMs = performanceNow } = this.#options
    const passedMs = nowMs() - this.#checkedAtMs
    if (passedMs < CHECK_EVERY_MS) return
    this.#checkedAtMs += passedMs
    const share = 0.5 ** (passedMs / HALF_LIFE_MS)
    this.#entered *= share
    this.#refused *= share
    this.#isFlooded = this.#refused > Math.max(this.#entered, LEAST_REFUSED)
  }

  #add(merNo: number): void {
    this.#underWay.add(merNo)
    this.#working++
  }

  leave(merNo: number): void {
    this.#underWay.remove(merNo)
    this.#working--
  }

  /** Called when the request calls a channel. Until `callEnded` the request is in progress, but does not work. */
  callBegan(): void {
    this.#working--
  }

  callEnded(): void {
    this.#working++
  }

  /** Counts the work for a payer as a working request of the merchant. Payers are never refused. */
  async countOf<Result>(merNo: number, work: () => Promise<Result>): Promise<Result> {
    this.#add(merNo)
    try {
      return await work()
    } finally {
      this.leave(merNo)
    }
  }

  async count<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#others++
    try {
      return await work()
    } finally {
      this.#others--
    }
  }
}

const performanceNow = () => performance.now()

/**
 * Returns the reason to refuse a request. From a `total` of `most` on, merchants with many requests are refused. From
 * `mostFair` on, every merchant is refused.
 */
function refusalBy(
  counts: MerchantCounts,
  merNo: number,
  total: number,
  most: number,
  mostFair: number,
): RefusedFor | undefined {
  if (total < most) return undefined
  if (total >= mostFair) return 'full'
  const own = counts.of(merNo)
  return own > 0 && own >= LARGE_SHARE * counts.largest ? 'share' : undefined
}

// Counts by merchant. Counts change by one, so the largest count is known without a search. Halving all counts gives
// old requests less and less weight.

export class MerchantCounts {
  readonly #counts = new Map<number, number>()
  /** At index n: the number of merchants whose count is n. Index 0 has no meaning. */
  #merchantsWith: number[] = []
  #largest = 0
  #total = 0

  get total(): number {
    return this.#total
  }

  get largest(): number {
    return this.#largest
  }

  of(merNo: number): number {
    return this.#counts.get(merNo) ?? 0
  }

  add(merNo: number): void {
    this.#change(merNo, 1)
  }

  remove(merNo: number): void {
    this.#change(merNo, -1)
  }

  halve(): void {
    const counts = [...this.#counts]
    this.#counts.clear()
    this.#merchantsWith = []
    this.#largest = 0
    this.#total = 0
    for (const [merNo, count] of counts) if (count > 1) this.#set(merNo, 0, count >> 1)
  }

  #change(merNo: number, by: 1 | -1): void {
    const from = this.of(merNo)
    this.#set(merNo, from, from + by)
  }

  #set(merNo: number, from: number, to: number): void {
    this.#total += to - from
    if (to === 0) this.#counts.delete(merNo)
    else this.#counts.set(merNo, to)
    this.#merchantsWith[from] = (this.#merchantsWith[from] ?? 0) - 1
    this.#merchantsWith[to] = (this.#merchantsWith[to] ?? 0) + 1
    const isNoLonger = from === this.#largest && this.#merchantsWith[from] === 0
    if (to > this.#largest || isNoLonger) this.#largest = to
  }
}
