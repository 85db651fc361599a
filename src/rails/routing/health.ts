// The health of channels: the outcomes of calls that open payments, send payouts or tokenise cards, counted by minute.
// Each node counts in memory, and a worker adds the node's counts to those of the other nodes in the database.
import type { Clock } from '../../platform/base/clock.ts'
import { type Interval, type Repetition, repeat } from '../../platform/concurrency/repeat.ts'
import type { Db, Queryable } from '../../platform/postgres/db.ts'
import type { Outcome } from '../contract/channel.ts'
import type { PayoutOutcome } from '../contract/payout-outcome.ts'
import type { Tokenised } from '../contract/payout-rail.ts'
import {
  addHealth,
  deleteHealth,
  type HealthRow,
  type HealthSum,
  selectEarlierHealth,
  selectHealth,
} from './sql.ts'

const MINUTE_MS = 60_000
const KEPT_MS = 7 * 86_400_000

/**
 * - answered: the payment or payout is paid or in progress, or the payer must act.
 * - declined: a bank declined, or the channel refused the request. Payers and merchants can provoke declines, so a
 *   decline never opens the circuit breaker.
 * - failed: nothing was charged or paid, because the channel was not reached or did not accept our credentials.
 * - unknown: the response is missing or makes no sense, so no other channel is tried.
 */
export type HealthOutcome = 'answered' | 'declined' | 'failed' | 'unknown'

export type ChannelHealth = {
  count(channel: string, outcome: HealthOutcome, ms: number): void
  flush(): Promise<void>
}

type Count = { calls: number; totalMs: number }

export function openHealth({ db, clock }: { readonly db: Db; readonly clock: Clock }): ChannelHealth {
  let counts = new Map<string, Map<HealthOutcome, Count>>()

  async function flush(): Promise<void> {
    if (counts.size === 0) return
    const taken = counts
    counts = new Map()
    const now = clock.now().getTime()
    const minute = new Date(now - (now % MINUTE_MS))
    await addHealth(db, rowsOf(taken, minute))
    await deleteHealth(db, new Date(now - KEPT_MS))
  }

  return {
    count(channel, outcome, ms) {
      const byKind = counts.get(channel) ?? new Map<HealthOutcome, Count>()
      const count = byKind.get(outcome) ?? { calls: 0, totalMs: 0 }
      count.calls++
      count.totalMs += ms
      counts.set(channel, byKind.set(outcome, count))
    },
    flush,
  }
}

export type WriteHealthDeps = Interval & {
  readonly channelHealth: Pick<ChannelHealth, 'flush'>
  readonly log: { error(details: object, message: string): void }
}

export function startWritingHealth({ channelHealth, log, everyMs }: WriteHealthDeps): Repetition {
  return repeat({
    everyMs,
    work: channelHealth.flush,
    failed: (err) => log.error({ err }, 'the health of channels could not be written'),
  })
}

function rowsOf(counts: ReadonlyMap<string, ReadonlyMap<HealthOutcome, Count>>, minute: Date): HealthRow[] {
  return [...counts].flatMap(([channel, byKind]) =>
    [...byKind].map(([outcome, { calls, totalMs }]) => {
      return { channel, minute, outcome, calls, totalMs: Math.round(totalMs) }
    }),
  )
}

export function kindOf(outcome: Outcome | PayoutOutcome | Tokenised): HealthOutcome {
  if (outcome.kind === 'unknown') return 'unknown'
  if (outcome.kind !== 'failed') return 'answered'
  return outcome.cause === 'unreachable' || outcome.cause === 'unauthorised' ? 'failed' : 'declined'
}

export type HealthOfChannel = {
  readonly calls: number
  readonly byOutcome: Readonly<Record<HealthOutcome, number>>
  /** The percentage of calls that were `answered`, rounded down; undefined without calls. */
  readonly successPercent: number | undefined
  /** The mean duration of a call; undefined without calls. */
  readonly meanMs: number | undefined
}

export async function readHealth(db: Queryable, since: Date): Promise<Map<string, HealthOfChannel>> {
  return healthOf(await selectHealth(db, since))
}

/** Reads the health of these channels before a time, as far as counts are kept: seven days. */
export async function readEarlierHealth(
  db: Queryable,
  channels: readonly string[],
  before: Date,
): Promise<Map<string, HealthOfChannel>> {
  return channels.length === 0 ? new Map() : healthOf(await selectEarlierHealth(db, channels, before))
}

function healthOf(found: readonly HealthSum[]): Map<string, HealthOfChannel> {
  const sums = Map.groupBy(found, ({ channel }) => channel)
  return new Map(
    [...sums].map(([channel, rows]) => {
      const of = (wanted: HealthOutcome) => Number(rows.find(({ outcome }) => outcome === wanted)?.calls ?? 0)
      const calls = rows.reduce((sum, row) => sum + Number(row.calls), 0)
      const totalMs = rows.reduce((sum, row) => sum + Number(row.total_ms), 0)
      const byOutcome = {
        answered: of('answered'),
        declined: of('declined'),
        failed: of('failed'),
        unknown: of('unknown'),
      }
      const successPercent = calls === 0 ? undefined : Math.floor((100 * byOutcome.answered) / calls)
      const meanMs = calls === 0 ? undefined : Math.round(totalMs / calls)
      return [channel, { calls, byOutcome, successPercent, meanMs }]
    }),
  )
}
