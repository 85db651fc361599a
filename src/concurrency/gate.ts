// Decides which requests of merchants begin, and counts all work that a stop must wait for.
//
// It has two bounds. Requests under way take memory. Those that work, and do not wait for a channel, share the processor and
// the database: the more of them at once, the longer each takes.
//
// A full gateway refuses the merchants with the most requests, and the others get in: a flood uses the places of the merchant
// that floods. A request enters after its signature was verified, so that strangers cannot use up those places.
import { MerchantCounts } from './merchant-counts.ts'

/** The benchmark finds the top rate with as many connections: they are some 0.2 s of work. */
export const MOST_WORKING = 256
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
}

export class Gate {
  readonly #options: GateOptions
  readonly #underWay = new MerchantCounts()
  /** Without those that wait for a channel. */
  readonly #working = new MerchantCounts()
  /** What is only counted. */
  #others = 0

  constructor(options: GateOptions) {
    this.#options = options
  }

  get underWay(): number {
    return this.#underWay.total + this.#others
  }

  /** False: this merchant must come back later. True: `leave` must follow. */
  enter(merNo: number): boolean {
    const { most, mostWorking = most, refused } = this.#options
    const reason =
      refusalBy(this.#working, this.#working.total, mostWorking, merNo) ??
      refusalBy(this.#underWay, this.underWay, most, merNo)
    if (reason === undefined) this.#add(merNo)
    else refused?.(reason)
    return reason === undefined
  }

  #add(merNo: number): void {
    this.#underWay.add(merNo)
    this.#working.add(merNo)
  }

  leave(merNo: number): void {
    this.#underWay.remove(merNo)
    this.#working.remove(merNo)
  }

  /** A channel is called: until `callEnded` the request is under way, and does not work. */
  callBegan(merNo: number): void {
    this.#working.remove(merNo)
  }

  callEnded(merNo: number): void {
    this.#working.add(merNo)
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

function refusalBy(
  counts: MerchantCounts,
  total: number,
  most: number,
  merNo: number,
): RefusedFor | undefined {
  if (total < most) return undefined
  if (total >= FAIR_UP_TO * most) return 'full'
  const own = counts.of(merNo)
  return own > 0 && own >= LARGE_SHARE * counts.largest ? 'share' : undefined
}
