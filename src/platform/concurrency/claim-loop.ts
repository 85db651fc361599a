// The loop of workers that call channels: claim the rows that are due, call the channel, record the outcome. Payments,
// refunds, payouts, reviews, disputes and others each describe their work as a job.
//
// - Any number of nodes may run a job. A claim skips rows that another node has locked, and takes a lease on its own
//   rows. If a node dies, its rows are delayed by one lease.
// - No call waits for another call. If a channel has too many calls in progress, its rows are not claimed, but the rows
//   of other channels are.
// - The back-off is in the row: recording an outcome sets the time of the next call.
// See docs/decisions/0190-one-claim-loop.md.
import type { Clock } from '../base/clock.ts'
import { type PokedRepetition, repeat } from './repeat.ts'

export type Claim = {
  readonly now: Date
  readonly leaseUntil: Date
  readonly limit: number
  /** The channels at their limit. Their rows are not claimed. */
  readonly busy: readonly string[]
}

export type ClaimJob<Due> = {
  /** The duration of a lease: longer than any call and the recording of its outcome. */
  readonly leaseMs: number
  claim(claim: Claim): Promise<readonly Due[]>
  channelOf(due: Due): string
  /**
   * Calls the channel and records the outcome. When the loop stops, `stopping` is aborted, for calls that may be
   * abandoned.
   */
  run(due: Due, stopping: AbortSignal): Promise<void>
  /** Reports a failed row. The row is claimed again when its lease ends. */
  rowFailed(error: unknown, due: Due): void
  /** Reports a failed claim. The next round claims again. */
  claimFailed(error: unknown): void
}

type ClaimLoopOptions = {
  readonly clock: Clock
  readonly everyMs: number
  readonly maxPerChannel?: number
}

/** The maximum number of rows of one claim. */
export const CLAIM_LIMIT = 50
const MAX_PER_CHANNEL = 100

/**
 * Starts the loop. Its `stop` waits for the calls in progress, but no longer than one lease. After one lease, any node
 * can claim the row of a call that still hangs.
 */
export function startClaimLoop<Due>(job: ClaimJob<Due>, options: ClaimLoopOptions): PokedRepetition {
  const { clock, everyMs, maxPerChannel = MAX_PER_CHANNEL } = options
  const stopping = new AbortController()
  const slots = createCallSlots(maxPerChannel, () => rounds.poke())

  async function claimAll(): Promise<void> {
    for (let isMore = true; isMore && !stopping.signal.aborted; ) {
      const now = clock.now()
      const leaseUntil = new Date(now.getTime() + job.leaseMs)
      const due = await job.claim({ now, leaseUntil, limit: CLAIM_LIMIT, busy: slots.busy() })
      for (const one of due) slots.follow(job.channelOf(one), runSafely(one))
      isMore = due.length === CLAIM_LIMIT
    }
  }

  async function runSafely(due: Due): Promise<void> {
    try {
      await job.run(due, stopping.signal)
    } catch (error) {
      job.rowFailed(error, due)
    }
  }

  const rounds = repeat({ everyMs, work: claimAll, failed: job.claimFailed })
  return {
    poke: rounds.poke,
    async stop() {
      stopping.abort()
      await rounds.stop()
      await atMost(job.leaseMs, slots.idle())
    },
  }
}

async function atMost(ms: number, work: Promise<void>): Promise<void> {
  const timeout = Promise.withResolvers<void>()
  const timer = setTimeout(timeout.resolve, ms)
  await Promise.race([work, timeout.promise])
  clearTimeout(timer)
}

/**
 * Counts the calls in progress. A channel at its limit is left out of claims until one of its calls ends, so a slow
 * channel delays only itself. The limit is checked before a claim, so the rows of one claim may exceed the limit.
 */
function createCallSlots(maxPerChannel: number, onFree: () => void) {
  const underWay = new Map<string, Set<Promise<void>>>()
  /** The channels that the last claim left out. */
  let leftOut = new Set<string>()

  function ended(channel: string, calls: Set<Promise<void>>, call: Promise<void>): void {
    calls.delete(call)
    if (calls.size === 0) underWay.delete(channel)
    if (calls.size < maxPerChannel && leftOut.delete(channel)) onFree()
  }

  return {
    /** Counts a call until it ends. The call must not reject. */
    follow(channel: string, call: Promise<void>): void {
      const calls = underWay.get(channel) ?? new Set()
      underWay.set(channel, calls.add(call))
      call.finally(() => ended(channel, calls, call))
    },
    busy(): string[] {
      const full = [...underWay].filter(([, calls]) => calls.size >= maxPerChannel)
      leftOut = new Set(full.map(([channel]) => channel))
      return [...leftOut]
    },
    async idle(): Promise<void> {
      while (underWay.size > 0) await Promise.all([...underWay.values()].flatMap((calls) => [...calls]))
    },
  }
}
