// Decides which requests of merchants begin, and counts all work that a stop must wait for.
//
// The gateway is full when too many requests are under way, or when its own steps have become slow. The number says little:
// with a slow channel many requests are under way and cost nothing. So the time of the steps decides, and the number only
// bounds memory. A full gateway refuses the merchants with the most requests under way; the others still get in. A flood
// takes the places of the merchant that floods, and nobody else's.
//
// A request enters after its signature was verified: strangers must not use up the places of a merchant.

/** `share`: other merchants have far fewer requests under way. `full`: nobody gets in. */
export type RefusedFor = 'share' | 'full'

export type GateOptions = {
  /** Requests under way at which the gateway is full. */
  readonly most: number
  /** What a step of a payment takes at present: a moving average. */
  readonly stepMs?: () => number
  readonly refused?: (reason: RefusedFor) => void
}

/** A step takes 20 ms at two thirds of the top rate, and 100 with 256 payments at once. */
const SLOW_STEP_MS = 40
/** Steps as slow as this: too many merchants want something at once, and nobody gets in. */
const STUCK_STEP_MS = 200
/** So many requests of a merchant get in however slow the steps are: a burst is no flood. */
const OWN_PLACES = 16
/** With fewer under way slow steps are a slow database, and waiting is better than a refusal. */
const LEAST_WHEN_STUCK = 512
/** Times `most`: so far merchants with few requests get in. */
export const FAIR_UP_TO = 2

export class Gate {
  readonly #options: GateOptions
  readonly #ofMerchant = new Map<number, number>()
  /** At index n: how many merchants have n requests under way. Gives the largest number without a search. */
  readonly #merchantsWith: number[] = []
  #largest = 0
  #underWay = 0

  constructor(options: GateOptions) {
    this.#options = options
  }

  get underWay(): number {
    return this.#underWay
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
    const { most, stepMs } = this.#options
    if (this.#underWay >= FAIR_UP_TO * most) return 'full'
    const hasMuch = own > 0 && own >= this.#largest / 2
    if (this.#underWay >= most && hasMuch) return 'share'
    if (stepMs === undefined || this.#underWay < OWN_PLACES) return undefined
    const ms = stepMs()
    if (ms >= STUCK_STEP_MS && this.#underWay >= LEAST_WHEN_STUCK) return 'full'
    return ms >= SLOW_STEP_MS && hasMuch && own >= OWN_PLACES ? 'share' : undefined
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
