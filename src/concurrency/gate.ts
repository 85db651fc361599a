// Decides which requests of merchants begin, and counts all work that a stop must wait for.
//
// The gateway is full when too many requests are under way, or when the steps of payments have been slow for a while. The number
// alone says little: with a slow channel many requests are under way and cost nothing. So the steps show overload, and the
// number bounds memory. A full gateway refuses the merchants with the most requests under way, and the others get in: a
// flood uses the places of the merchant that floods.
//
// A request enters after its signature was verified, so that strangers cannot use up the places of a merchant.

/** `share`: other merchants have far fewer requests under way. `full`: nobody gets in. */
export type RefusedFor = 'share' | 'full'

export type GateOptions = {
  /** Requests under way at which the gateway is full. */
  readonly most: number
  readonly refused?: (reason: RefusedFor) => void
}

/** A step takes some 10 ms at half the top rate, 25 with 64 payments at once, and 90 with 256. */
const SLOW_MS = 40
/** Many merchants with few requests each can be too much as well. */
const STUCK_MS = 200
/** If few payments wait for a slow step, the database is slow, and not overloaded: waiting is better than a refusal. */
const SMALL_BATCH = 24
/** Of a step in the moving averages: seven slow ones in a row are half. A burst or a stall makes fewer. */
const WEIGHT = 0.1
const HALF = 0.5
const LEAST_WHEN_SLOW = 64
const LEAST_WHEN_STUCK = 512
/** Requests of one merchant that get in even if steps are slow. */
const OWN_PLACES = 16
/** Times `most`: so far merchants with few requests get in. */
export const FAIR_UP_TO = 2

export class Gate {
  readonly #options: GateOptions
  readonly #ofMerchant = new Map<number, number>()
  /** At index n: how many merchants have n requests under way. Gives the largest number without a search. */
  readonly #merchantsWith: number[] = []
  #largest = 0
  #underWay = 0
  /** The share of recent steps that were slow, and that were stuck. */
  #slowShare = 0
  #stuckShare = 0

  constructor(options: GateOptions) {
    this.#options = options
  }

  get underWay(): number {
    return this.#underWay
  }

  /** A batch of payments has done a step; `tookMs` includes the time in its queue. */
  stepDone(batchSize: number, tookMs: number): void {
    const ms = batchSize < SMALL_BATCH ? 0 : tookMs
    this.#slowShare += (Number(ms >= SLOW_MS) - this.#slowShare) * WEIGHT
    this.#stuckShare += (Number(ms >= STUCK_MS) - this.#stuckShare) * WEIGHT
  }

  /** False: this merchant must come back later. True: `leave` must follow. */
  enter(merNo: number): boolean {
    const own = this.#ofMerchant.get(merNo) ?? 0
    const reason = this.#refusalOf(own)
    if (reason !== undefined) {
      this.#options.refused?.(reason)
      return false
    }
    this.#underWay++
    this.#change(merNo, own, own + 1)
    return true
  }

  leave(merNo: number): void {
    const own = this.#ofMerchant.get(merNo) ?? 0
    this.#underWay--
    this.#change(merNo, own, own - 1)
  }

  /** Counted, not bounded: payers and counterparties are never refused. */
  async count<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#underWay++
    try {
      return await work()
    } finally {
      this.#underWay--
    }
  }

  #refusalOf(own: number): RefusedFor | undefined {
    const { most } = this.#options
    if (this.#underWay >= FAIR_UP_TO * most || this.#isStuck()) return 'full'
    if (own === 0 || own < this.#largest / 2) return undefined
    const isFull = this.#underWay >= most || (this.#isSlow() && own >= OWN_PLACES)
    return isFull ? 'share' : undefined
  }

  #isSlow(): boolean {
    return this.#slowShare >= HALF && this.#underWay >= LEAST_WHEN_SLOW
  }

  #isStuck(): boolean {
    return this.#stuckShare >= HALF && this.#underWay >= LEAST_WHEN_STUCK
  }

  #change(merNo: number, from: number, to: number): void {
    if (to === 0) this.#ofMerchant.delete(merNo)
    else this.#ofMerchant.set(merNo, to)
    this.#merchantsWith[from] = (this.#merchantsWith[from] ?? 0) - 1
    this.#merchantsWith[to] = (this.#merchantsWith[to] ?? 0) + 1
    const isAlone = this.#merchantsWith[from] === 0
    if (to > this.#largest || (from === this.#largest && isAlone)) this.#largest = to
  }
}
