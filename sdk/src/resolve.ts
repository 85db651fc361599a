// Polls until a payment, payout or refund is decided.
import { TollgateError } from './errors.ts'
import type { CallOptions, ResolveOptions } from './known-order.ts'
import { sleep } from './sleep.ts'

const WAIT_MS = 30_000
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 5_000

/**
 * Polls until the outcome is decided or the time is over, and returns the last answer. A failed query is repeated if
 * its error says `retry-later`.
 */
export async function askUntil<Asked>(
  ask: (options: CallOptions) => Promise<Asked>,
  isDecided: (asked: Asked) => boolean,
  { waitMs = WAIT_MS, signal }: ResolveOptions,
): Promise<Asked> {
  const until = Date.now() + waitMs
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    const isLast = Date.now() + pause > until
    try {
      const asked = await ask({ signal })
      if (isLast || isDecided(asked)) return asked
    } catch (error) {
      if (isLast || !(error instanceof TollgateError) || error.next !== 'retry-later') throw error
    }
    await sleep(pause, signal)
  }
}
