// Decides which requests of merchants begin, and counts all work that a stop must wait for.
//
// It has two bounds. Requests under way take memory. Those that work, and do not wait for a channel, share the processor and
// the database: the more of them at once, the longer each takes. In a flood, when more requests are refused than enter, few may
// work at once: then accepted requests stay fast, and the event loop refuses the others within milliseconds.
//
// A full gateway refuses the merchants that send the most, and the others get in: a flood uses the places of the merchant that
// floods. A request enters after its signature was verified, so that strangers cannot use up those places.
import { MerchantCounts } from './merchant-counts.ts'

/** The benchmark finds the top rate with as many connections: they are some 0.2 s of work. */
export const MOST_WORKING = 256
/** The same in a flood. Fewer would be faster, but batches would be too small for a high rate. */
export const MOST_IN_FLOOD = 32
/** With this share of the places taken, payments need the whole machine. */
const BUSY_SHARE = 0.25
/** It is a flood if more requests were refused than entered lately, and at least this many. */
const LEAST_REFUSED = 64
/** Counts of what happened lately halve in this time. */
export const HALF_LIFE_MS = 300
const CHECK_EVERY_MS = 50
/** The requests that say which merchants send the most: those of half a second at a high rate. */
const LATEST = 512
/** Merchants with few requests get in up to so many times a bound. */
export const FAIR_UP_TO = 2
/** A merchant with this share of the largest merchant's requests is refused too: those that flood alike are treated alike. */
const LARGE_SHARE = 0.5

/** `share`: other merchants have far fewer requests. `full`: nobody gets in. */
export type RefusedFor = 'share' | 'full'

export type GateOptions = {
  /** Requests under way at which the gateway is full. */
  readonly most: number
  /** Working requests at which it is full; `most` unless given. */
  readonly mostWorking?: number
  readonly refused?: (reason: RefusedFor) => void
  /** A clock that never goes back. Default: the process's own. */
  readonly nowMs?: () => number
}

export class Gate {
  readonly #options: GateOptions
  readonly #underWay = new MerchantCounts()
  /** Who entered last. Counting the requests at work instead would punish a merchant for slow ones. */
  readonly #latest = new MerchantCounts()
  /** Requests that entered and that were refused lately. */
  #entered = 0
  #refused = 0
  /** Without those that wait for a channel. */
  #working = 0
  /** What is only counted. */
  #others = 0
  #isFlooded = false
  #checkedAtMs = 0

  constructor(options: GateOptions) {
    this.#options = options
  }

  get underWay(): number {
    return this.#underWay.total + this.#others
  }

  /** True: the next request may be refused. */
  get isFull(): boolean {
    return this.#working >= this.#placesToWork || this.underWay >= this.#options.most
  }

  get #placesToWork(): number {
    const { most, mostWorking = most } = this.#options
    return this.#isFlooded ? Math.min(MOST_IN_FLOOD, mostWorking) : mostWorking
  }

  /** False: this merchant must come back later. True: `leave` must follow. */
  enter(merNo: number): boolean {
    if (this.refuses(merNo)) return false
    this.#add(merNo)
    this.#entered++
    this.#latest.add(merNo)
    if (this.#latest.total === LATEST) this.#latest.halve()
    return true
  }

  /** Requests of merchants wait for the processor or the database. */
  isBusy(): boolean {
    return this.#working >= BUSY_SHARE * this.#placesToWork
  }

  /** More requests were refused than entered lately. */
  isFlooded(): boolean {
    this.#checkForFlood()
    return this.#isFlooded
  }

  /** Counts nothing for the merchant, so the number may be a mere claim. */
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

  /** A channel is called: until `callEnded` the request is under way, and does not work. */
  callBegan(): void {
    this.#working--
  }

  callEnded(): void {
    this.#working++
  }

  /** Counted, not bounded: payers are never refused. */
  async countOf<Result>(merNo: number, work: () => Promise<Result>): Promise<Result> {
    this.#add(merNo)
    try {
      return await work()
    } finally {
      this.leave(merNo)
    }
  }

  /** The same for work that makes no payment. */
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

/** `most`: from here on merchants with many requests are refused. `mostFair`: from here on everybody is. */
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
