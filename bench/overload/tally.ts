// The results of the requests of one part of a stream, in total and by windows of half a second.
import { quantile } from '../statistics.ts'

export const WINDOW_MS = 500

export type TallyResult = {
  readonly due: number
  readonly accepted: number
  readonly refused: number
  /** The number of requests for which no connection was free before the part ended. */
  readonly unsent: number
  readonly failures: number
  /** The first few failures, in words. */
  readonly samples: readonly string[]
  readonly acceptedMs: Latency
  readonly refusedMs: Latency
  readonly acceptedByShop: readonly number[]
  /** The delay with which the stream sent requests although a connection was free. */
  readonly sentLateMs: Latency
  /** The processor time of the stream's process, in microseconds. */
  readonly processorUs: number
  readonly windows: readonly Window[]
}

export type Latency = { readonly p50: number; readonly p99: number }

/** The results of the requests that were due in the window. */
export type Window = { readonly due: number; readonly accepted: number; readonly p99Ms: number }

const MOST_SAMPLES = 5

type OpenWindow = { due: number; latencies: number[] }

export class Tally {
  readonly #startAt: number
  readonly #windows: OpenWindow[]
  readonly #accepted: number[] = []
  readonly #refused: number[] = []
  readonly #byShop: number[]
  readonly #sentLate: number[] = []
  readonly #samples: string[] = []
  #processorUs = 0
  #unsent = 0
  #failures = 0

  constructor(startAt: number, seconds: number, shops: number) {
    this.#startAt = startAt
    const windows = Math.ceil((seconds * 1000) / WINDOW_MS)
    this.#windows = Array.from({ length: windows }, () => ({ due: 0, latencies: [] }))
    this.#byShop = Array.from({ length: shops }, () => 0)
  }

  sent(lateMs: number): void {
    this.#sentLate.push(lateMs)
  }

  usedProcessor(us: number): void {
    this.#processorUs = us
  }

  accepted(dueAt: number, ms: number, shop: number): void {
    this.#accepted.push(ms)
    this.#byShop[shop] = (this.#byShop[shop] ?? 0) + 1
    this.#windowOf(dueAt)?.latencies.push(ms)
  }

  refused(dueAt: number, ms: number): void {
    this.#refused.push(ms)
    this.#windowOf(dueAt)
  }

  unsent(dueAt: number): void {
    this.#unsent++
    this.#windowOf(dueAt)
  }

  failed(dueAt: number, why: string): void {
    this.#failures++
    if (this.#samples.length < MOST_SAMPLES) this.#samples.push(why)
    this.#windowOf(dueAt)
  }

  /** Counts the request in the window in which it was due. */
  #windowOf(dueAt: number): OpenWindow | undefined {
    const window = this.#windows[Math.floor((dueAt - this.#startAt) / WINDOW_MS)]
    if (window !== undefined) window.due++
    return window
  }

  result(): TallyResult {
    return {
      due: this.#accepted.length + this.#refused.length + this.#unsent + this.#failures,
      accepted: this.#accepted.length,
      refused: this.#refused.length,
      unsent: this.#unsent,
      failures: this.#failures,
      samples: this.#samples,
      acceptedMs: latencyOf(this.#accepted),
      refusedMs: latencyOf(this.#refused),
      acceptedByShop: this.#byShop,
      sentLateMs: latencyOf(this.#sentLate),
      processorUs: this.#processorUs,
      windows: this.#windows.map(({ due, latencies }) => ({
        due,
        accepted: latencies.length,
        p99Ms: latencyOf(latencies).p99,
      })),
    }
  }
}

function latencyOf(values: number[]): Latency {
  const sorted = values.sort((one, other) => one - other)
  return { p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) }
}
