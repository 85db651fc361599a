// The loop of all workers that call channels: claim the rows that are due, call the channel, record the outcome. Payments,
// refunds, payouts, reviews and disputes each describe their work as a job.
//
// - Any number of nodes may run a job. A claim skips the rows that another node has locked, and leases the rows that it
//   takes: a node that dies delays its rows by one lease.
// - No call waits for another. A channel with too many calls in progress is left out of the claims; all others continue.
// - The back-off is in the row: recording an outcome sets the time of the next call.
import type { Clock } from '../base/clock.ts'
import { createCallSlots } from './call-slots.ts'
import { type PokedRepetition, repeat } from './repeat.ts'

export type Claim = {
  readonly now: Date
  readonly leaseUntil: Date
  readonly limit: number
  /** Channels at their bound: their rows are not claimed. */
  readonly busy: readonly string[]
}

export type ClaimJob<Due> = {
  /** Longer than any call with its recording takes. */
  readonly leaseMs: number
  claim(claim: Claim): Promise<readonly Due[]>
  channelOf(due: Due): string
  /** Calls the channel and records the outcome. `stopping` is aborted by a stop, for calls that may be abandoned. */
  run(due: Due, stopping: AbortSignal): Promise<void>
  /** A row that failed is claimed again when its lease ends. */
  rowFailed(error: unknown, due: Due): void
  /** The next round claims again. */
  claimFailed(error: unknown): void
}

export type ClaimLoopOptions = {
  readonly clock: Clock
  readonly everyMs: number
  readonly maxPerChannel?: number
}

/** Rows of one claim. */
export const CLAIM_LIMIT = 50
const MAX_PER_CHANNEL = 100

/** A stop waits for the calls in progress, but at most one lease: a row whose call still hangs is claimed again. */
export function startClaimLoop<Due>(job: ClaimJob<Due>, options: ClaimLoopOptions): PokedRepetition {
  const { clock, everyMs, maxPerChannel = MAX_PER_CHANNEL } = options
  const stopping = new AbortController()
  const slots = createCallSlots({ maxPerChannel, onFree: () => rounds.poke() })

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
