import type { Clock } from '../base/clock.ts'
import { type HealthOfChannel, readHealth } from '../channels/health.ts'
import type { Queryable } from '../postgres/db.ts'
import type { Finding } from './checks.ts'

const HOUR_MS = 3_600_000
/** Fewer calls say nothing about a channel. */
const FEWEST_CALLS = 5

/** Warns of channels that did not answer half of their calls in the last hour. */
export async function checkChannels(db: Queryable, clock: Clock): Promise<Finding> {
  const check = 'channels'
  const health = await readHealth(db, new Date(clock.now().getTime() - HOUR_MS))
  const [worst, ...others] = [...health].filter(([, one]) => isFailing(one))
  if (worst === undefined)
    return { check, status: 'ok', found: `${health.size} were called in the last hour, and answered` }
  const [name, { calls, byOutcome }] = worst
  const more = others.length === 0 ? '' : `, and ${others.length} more`
  const found = `${name} did not answer ${byOutcome.failed + byOutcome.unknown} of ${calls} calls${more}`
  return { check, status: 'warn', found, todo: `run "channel check ${name}"` }
}

function isFailing({ calls, byOutcome: { failed, unknown } }: HealthOfChannel): boolean {
  return calls >= FEWEST_CALLS && 2 * (failed + unknown) >= calls
}
