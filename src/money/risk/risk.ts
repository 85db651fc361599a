// Checks payments against the lists and rules, which are cached in memory. The cache reloads when a change is
// announced, and every 30 s in case an announcement was missed. A payment for which no rule needs a count is checked
// without a query. Payments that wait for counts at the same moment share queries.
import type { Clock } from '../../platform/base/clock.ts'
import { createBatcher } from '../../platform/postgres/batch.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { openLiveCopy } from '../../platform/postgres/live-copy.ts'
import { begin, type Count, finish, type Need, needsIn, type Verdict } from './evaluate.ts'
import { factsOf, type RiskSubject } from './facts.ts'
import { countUses } from './hits.ts'
import { createSnapshot, type Snapshot } from './snapshot.ts'
import { selectActiveRules, selectCurrentEntries } from './sql.ts'

const REFRESH_MS = 30_000
const MAX_BATCH = 96

export type Risk = {
  /** True if an entry or a rule applies to the merchant. Payments of other merchants need no check. */
  concerns(merNo: number): boolean
  /** Returns the verdict, or undefined if nothing applies. Returns a promise only if a rule needs a count. */
  check(subject: RiskSubject): Verdict | undefined | Promise<Verdict | undefined>
}

export type RiskDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly log?: { error(details: object, message: string): void }
  /** The maximum number of payments that wait for a count. */
  readonly maxQueue: number
}

export async function openRisk(deps: RiskDeps): Promise<Risk & { close(): void }> {
  const { db, clock, log, maxQueue } = deps
  const snapshot = await openLiveCopy({
    db,
    channel: 'risk',
    everyMs: REFRESH_MS,
    read: () => readSnapshot(deps),
    failed: (err) => log?.error({ err }, 'reading the risk rules failed; the old ones stay in use'),
  })
  const counts = createBatcher<readonly Need[], readonly Count[]>({
    maxBatch: MAX_BATCH,
    maxQueue,
    flush: (waiting) => countAll(db, waiting),
  })

  return {
    concerns: (merNo) => snapshot.current().scopesOf(merNo).length > 0,
    check(subject) {
      const scopes = snapshot.current().scopesOf(subject.merNo)
      if (scopes.length === 0) return undefined
      const facts = factsOf(subject)
      const begun = begin(scopes, facts, clock.now())
      const needs = needsIn(begun)
      if (needs.length === 0) return finish(begun, facts, [])
      return counts.submit(needs).then((found) => finish(begun, facts, found))
    },
    close: snapshot.close,
  }
}

/** The implementation for programs without rules. */
export const noRisk: Risk = { concerns: () => false, check: () => undefined }

async function readSnapshot({ db, clock }: RiskDeps): Promise<Snapshot> {
  const [entries, rules] = await Promise.all([selectCurrentEntries(db, clock.now()), selectActiveRules(db)])
  return createSnapshot(entries, rules)
}

async function countAll(db: Db, waiting: readonly (readonly Need[])[]): Promise<readonly Count[][]> {
  const found = await countUses(db, waiting.flat())
  let at = 0
  return waiting.map((needs) => {
    at += needs.length
    return found.slice(at - needs.length, at)
  })
}
