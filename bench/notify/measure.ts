// Measures two things of a contestant: the rate at which it delivers a backlog, and the time to each delivery at an
// even pace.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Slice } from '../rounds.ts'
import { quantile } from '../statistics.ts'
import type { Deliverer } from './deliverer.ts'
import { type Hook, nowMs, type Seen } from './hook.ts'

const FIRST_BACKLOG = 2_000
const TICK_MS = 10
const WITHIN_MS = 60_000

export type Meter = {
  /** Deliveries a second, from a backlog that lasts about this many seconds. */
  backlog(deliverer: Deliverer, seconds: number): Promise<Slice>
  /** The times from commit to arrival, at this many notifications a second. */
  paced(deliverer: Deliverer, rate: number, seconds: number): Promise<Slice>
  /** Deliveries that never arrived, or arrived twice. */
  errors(): number
}

export function createMeter(hook: Hook): Meter {
  const rates = new Map<string, number>()
  let next = 1
  let missing = 0
  let repeated = 0

  async function take(deliverer: Deliverer, count: number): Promise<Seen> {
    const seen = await hook.take(count, WITHIN_MS)
    missing += count - seen.count
    repeated = seen.repeated
    while (!(await deliverer.isIdle())) await sleep(TICK_MS)
    return seen
  }

  return {
    async backlog(deliverer, seconds) {
      const count = Math.ceil((rates.get(deliverer.name) ?? FIRST_BACKLOG / seconds) * seconds)
      await deliverer.enqueue(next, count)
      const begunMs = nowMs()
      next += count
      const { lastMs } = await take(deliverer, count)
      const rate = count / ((lastMs - begunMs) / 1_000)
      rates.set(deliverer.name, rate)
      return { rate }
    },
    async paced(deliverer, rate, seconds) {
      const first = next
      const committed = new Map<number, number>()
      const begunMs = nowMs()
      for (let sent = 0; nowMs() - begunMs < seconds * 1_000; await sleep(TICK_MS)) {
        const due = Math.floor(((nowMs() - begunMs) / 1_000) * rate) - sent
        if (due <= 0) continue
        await deliverer.enqueue(next, due)
        const atMs = nowMs()
        for (const end = next + due; next < end; next++) committed.set(next, atMs)
        sent += due
      }
      const fed = (next - first) / ((nowMs() - begunMs) / 1_000)
      const { times } = await take(deliverer, next - first)
      const waits = times.map(([number, atMs]) => atMs - (committed.get(number) ?? atMs))
      const sorted = waits.sort((one, other) => one - other)
      return { rate: fed, p50Ms: quantile(sorted, 0.5), p99Ms: quantile(sorted, 0.99) }
    },
    errors: () => missing + repeated,
  }
}
