// How channels answer when a payment is opened or a payout is sent, counted by minute. Counting costs a payment two additions; a timer adds
// the counts of all nodes up in the database.
import type { Clock } from '../base/clock.ts'
import type { Db, Queryable } from '../postgres/db.ts'
import type { Outcome } from './contract.ts'
import type { PayoutOutcome, Tokenised } from './payout/contract.ts'
import { addHealth, deleteHealth, type HealthRow, selectHealth } from './sql.ts'

const WRITE_EVERY_MS = 5_000
const MINUTE_MS = 60_000
const KEPT_MS = 7 * 86_400_000

/**
 * `answered`: paid, under way, or the payer has to do something. `declined`: by a bank, or refused for what was sent; payers and
 * merchants can provoke it, so it never counts as trouble. `failed`: nothing was charged or paid, because the channel was not there
 * or did not accept our credentials. A missing response is `unknown`, and its payment stays at the channel.
 */
export type HealthOutcome = 'answered' | 'declined' | 'failed' | 'unknown'

export type ChannelHealth = {
  count(channel: string, outcome: HealthOutcome, ms: number): void
  /** Writes what was counted since the last time. */
  flush(): Promise<void>
  close(): Promise<void>
}

export type HealthDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly log?: { error(details: object, message: string): void }
}

type Count = { calls: number; totalMs: number }

export function openHealth({ db, clock, log }: HealthDeps): ChannelHealth {
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

  const timer = setInterval(() => {
    flush().catch((err: unknown) => log?.error({ err }, 'the health of channels could not be written'))
  }, WRITE_EVERY_MS)
  timer.unref()
  return {
    count(channel, outcome, ms) {
      const byKind = counts.get(channel) ?? new Map<HealthOutcome, Count>()
      const count = byKind.get(outcome) ?? { calls: 0, totalMs: 0 }
      count.calls++
      count.totalMs += ms
      counts.set(channel, byKind.set(outcome, count))
    },
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
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
  /** Of all calls, those that were answered and not declined, rounded down. Undefined without calls. */
  readonly successPercent: number | undefined
  /** Undefined without calls. */
  readonly meanMs: number | undefined
}

/** By channel, since then. */
export async function readHealth(db: Queryable, since: Date): Promise<Map<string, HealthOfChannel>> {
  const sums = Map.groupBy(await selectHealth(db, since), ({ channel }) => channel)
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
