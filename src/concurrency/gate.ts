// Decides which requests of merchants begin, and counts all work that a stop must wait for.
//
// The number of requests under way bounds memory, and says little about load: those that wait for a slow channel cost
// nothing. Overload shows in the time that the steps of payments take. While steps are slow, the gate takes ever fewer requests
// at once, and slowly more while they are quick: accepted payments keep their latency.
//
// A full gateway refuses the merchants with the most requests, and the others get in: a flood uses the places of the merchant
// that floods. A request enters after its signature was verified, so that strangers cannot use up those places.
import { MerchantCounts } from './merchant-counts.ts'

/** `share`: other merchants have far fewer requests. `full`: nobody gets in. */
export type RefusedFor = 'share' | 'full'

export type GateOptions = {
  /** Requests under way at which the gateway is full, however quick the steps are. */
  readonly most: number
  readonly refused?: (reason: RefusedFor) => void
}

/** A step takes some 10 ms at half the top rate, 25 with 64 payments at once, and 90 with 256. */
const SLOW_MS = 40
/** If small batches take long too, the database is slow, and not overloaded: then a step is slow at so many times as much. */
const SMALL_BATCH = 24
const SLOW_TIMES = 3
/** Of the latest small batch in the moving average. */
const WEIGHT = 0.05
/** A burst or a stall of the database makes fewer slow steps than this. */
const SLOW_STEPS = 5
const FEWER = 0.97
const FEWER_THAN_NOW = 0.9
const MORE = 1.02
const LEAST_PLACES = 64
/** With so few requests the overload is over. */
const CALM = 16
/** What a merchant may have while steps are slow: with others beside it, and alone, where it delays nobody else. */
const SHARE = 16
const SHARE_ALONE = 256
/** Merchants with few requests get in up to so many times the places; while steps are slow, up to this number in any case. */
export const FAIR_UP_TO = 2
const LEAST_FULL = 512

export class Gate {
  readonly #options: GateOptions
  readonly #underWay = new MerchantCounts()
  /** Without those that wait for a channel. */
  readonly #working = new MerchantCounts()
  /** What is only counted. */
  #others = 0
  /** For working requests; infinite unless there is overload. */
  #places = Number.POSITIVE_INFINITY
  #slowSteps = 0
  #smallFlushMs = 0

  constructor(options: GateOptions) {
    this.#options = options
  }

  get underWay(): number {
    return this.#underWay.total + this.#others
  }

  /** A batch of payments has done a step. `tookMs` includes the time in its queue, `flushMs` does not. */
  stepDone(batchSize: number, tookMs: number, flushMs: number): void {
    if (batchSize < SMALL_BATCH) this.#smallFlushMs += (flushMs - this.#smallFlushMs) * WEIGHT
    else if (tookMs >= Math.max(SLOW_MS, SLOW_TIMES * this.#smallFlushMs)) this.#stepWasSlow()
    else this.#stepWasQuick()
  }

  #stepWasSlow(): void {
    this.#slowSteps++
    if (this.#slowSteps < SLOW_STEPS && !Number.isFinite(this.#places)) return
    this.#places = Math.max(
      LEAST_PLACES,
      Math.min(this.#places * FEWER, this.#working.total * FEWER_THAN_NOW),
    )
  }

  #stepWasQuick(): void {
    this.#slowSteps = Math.max(0, this.#slowSteps - 1)
    this.#places *= MORE
    if (this.#places > this.#options.most) this.#endOverload()
  }

  #endOverload(): void {
    this.#places = Number.POSITIVE_INFINITY
    this.#slowSteps = 0
  }

  /** False: this merchant must come back later. True: `leave` must follow. */
  enter(merNo: number): boolean {
    const reason = this.#refusedByNumber(merNo) ?? this.#refusedByLoad(merNo)
    if (reason !== undefined) {
      this.#options.refused?.(reason)
      return false
    }
    this.#underWay.add(merNo)
    this.#working.add(merNo)
    return true
  }

  leave(merNo: number): void {
    this.#underWay.remove(merNo)
    this.#working.remove(merNo)
    if (this.#underWay.total < CALM) this.#endOverload()
  }

  /** A channel is called: until `callEnded` the payment is under way, and costs nothing. */
  callBegan(merNo: number): void {
    this.#working.remove(merNo)
  }

  callEnded(merNo: number): void {
    this.#working.add(merNo)
  }

  /** Counted, not bounded: payers are never refused. */
  async countOf<Result>(merNo: number, work: () => Promise<Result>): Promise<Result> {
    this.#underWay.add(merNo)
    this.#working.add(merNo)
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

  #refusedByNumber(merNo: number): RefusedFor | undefined {
    const { most } = this.#options
    const count = this.underWay
    if (count < most) return undefined
    if (count >= FAIR_UP_TO * most) return 'full'
    return hasMost(this.#underWay, merNo) ? 'share' : undefined
  }

  #refusedByLoad(merNo: number): RefusedFor | undefined {
    const working = this.#working
    if (working.total < this.#places) return undefined
    if (working.total >= Math.max(LEAST_FULL, FAIR_UP_TO * this.#places)) return 'full'
    const share = working.merchants === 1 ? SHARE_ALONE : SHARE
    return working.of(merNo) >= share && hasMost(working, merNo) ? 'share' : undefined
  }
}

/** Half as many as the largest count: merchants that flood alike are treated alike. */
function hasMost(counts: MerchantCounts, merNo: number): boolean {
  const own = counts.of(merNo)
  return own > 0 && own >= counts.largest / 2
}
