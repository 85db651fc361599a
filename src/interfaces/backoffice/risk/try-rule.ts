// A trial computes the hits that a rule would have had on the payments of the last 30 days. The trial uses the same
// code as the check of new payments. The trial counts uses in memory, because the database has no counts from before
// the rule existed. Payments that match the present allow list are exempt.
import { type PastAttempt, readAttempts } from '../../../money/order-queries/read-attempts.ts'
import { isOpen, wasPaid } from '../../../money/orders/order.ts'
import { currentEntries } from '../../../money/risk/change-lists.ts'
import { recordTrial } from '../../../money/risk/change-rules.ts'
import { begin, type Count, finish, type Need, needsIn, type Use } from '../../../money/risk/evaluate.ts'
import { factsOf } from '../../../money/risk/facts.ts'
import {
  MOST_COUNTED,
  MOST_DAYS,
  type Rule,
  type Trial,
  type TrialOutcome,
  trialOutcomes,
} from '../../../money/risk/rule.ts'
import { createSnapshot, type Snapshot } from '../../../money/risk/snapshot.ts'
import type { BinTable } from '../../../platform/base/bin-table.ts'
import type { Clock } from '../../../platform/base/clock.ts'
import { formatAmount } from '../../../platform/base/money.ts'
import type { Db } from '../../../platform/postgres/db.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const MOST_EXAMPLES = 20
/**
 * The maximum number of uses that are counted in the rule's window. A trial runs in a process that also serves
 * payments, so its memory must have a bound. Twice this number of uses, each with a different key, takes 28 MB.
 */
const MOST_USES = 50_000

type Sum = { orders: number; usd: bigint }

type TrialDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly bins: BinTable
  readonly mostUses?: number
}

type Report = (progress: { readonly done: number; readonly total: number }) => void

/** Tries a rule and stores the result with the rule. Throws `RuleChanged` if the rule changed during the trial. */
export async function tryRule(deps: TrialDeps, rule: Rule, report: Report): Promise<Trial> {
  const { db, clock, bins, mostUses = MOST_USES } = deps
  const until = clock.now()
  const begunMs = until.getTime() - MOST_DAYS * DAY_MS
  const allowed = (await currentEntries(db, until)).filter(({ list }) => list === 'allow')
  const uses = createUseCounter(windowMsOf(rule), mostUses)
  const trial = startTrial(createSnapshot(allowed, [{ ...rule, state: 'on' }]), bins, uses)
  let stoppedMs: number | undefined
  for (let day = 0; day < MOST_DAYS && stoppedMs === undefined; day++) {
    const from = new Date(begunMs + day * DAY_MS)
    const span = { from, until: new Date(from.getTime() + DAY_MS), merNo: rule.merNo }
    await readAttempts(db, span, (attempt) => {
      // An order of this day may have an attempt on a later day. `reachedMs` stays within this day, because the other
      // attempts of the later day are read only after this day.
      const reachedMs = Math.min(attempt.at.getTime(), span.until.getTime())
      const goesOn = trial.add(attempt, reachedMs)
      if (!goesOn) stoppedMs = reachedMs
      return goesOn
    })
    report({ done: day + 1, total: MOST_DAYS })
  }
  const covers = stoppedMs !== undefined && { from: isoOf(begunMs), until: isoOf(stoppedMs) }
  const found = { days: MOST_DAYS, ...(covers && { covers }), ...trial.result() }
  const { ruleId, version } = rule
  await recordTrial(db, { ruleId, version, found, at: clock.now() })
  return found
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}

function windowMsOf({ conditions: { newCardDays = 0, velocity } }: Rule): number {
  return Math.max(newCardDays * DAY_MS, (velocity?.minutes ?? 0) * MINUTE_MS)
}

function startTrial(snapshot: Snapshot, bins: BinTable, uses: ReturnType<typeof createUseCounter>) {
  let [orders, hits] = [0, 0]
  /** The orders that were hit and that have further attempts to come. */
  const hit = new Set<string>()
  const sums: Record<TrialOutcome, Sum> = {
    succeeded: { orders: 0, usd: 0n },
    refunded: { orders: 0, usd: 0n },
    chargedBack: { orders: 0, usd: 0n },
    failed: { orders: 0, usd: 0n },
    open: { orders: 0, usd: 0n },
  }
  const examples: PastAttempt[] = []

  return {
    /** Adds an attempt to the result. Returns false if the rule's window has too many uses to count. */
    add(attempt: PastAttempt, reachedMs: number): boolean {
      const { merNo, method, usdValue, details, at, tradeNo } = attempt
      // Of a past card, only six digits are stored. If the table needs more digits to tell the country, the country is
      // unknown.
      const card = attempt.card && { ...attempt.card, country: bins.find(attempt.card.first6)?.country }
      if (attempt.attemptNo === 1) orders++
      const facts = factsOf({ merNo, method, usdValue, card, details })
      const begun = begin(snapshot.scopesOf(merNo), facts, at)
      const verdict = finish(begun, facts, needsIn(begun).map(uses.count))
      const goesOn = begun.uses.map((use) => uses.add(use, at, reachedMs)).every(Boolean)
      const wasHit = hit.has(tradeNo)
      const isHit = wasHit || (verdict !== undefined && verdict.hits.length > 0)
      if (attempt.isLast) hit.delete(tradeNo)
      else if (isHit) hit.add(tradeNo)
      if (!isHit || wasHit) return goesOn
      hits++
      const sum = sums[outcomeOf(attempt)]
      sum.orders++
      sum.usd += usdValue
      examples.unshift(attempt)
      examples.splice(MOST_EXAMPLES)
      return goesOn
    },
    result() {
      const usd = trialOutcomes.reduce((all, name) => all + sums[name].usd, 0n)
      return {
        orders,
        hits,
        usd: dollars(usd),
        outcomes: trialOutcomes.map((name) => {
          return { name, orders: sums[name].orders, usd: dollars(sums[name].usd) }
        }),
        examples: examples.map((one) => ({
          tradeNo: one.tradeNo,
          merNo: one.merNo,
          at: one.at.toISOString(),
          method: one.method,
          money: { amount: formatAmount(one.amount, one.currency), currency: one.currency },
          outcome: outcomeOf(one),
        })),
      }
    },
  }
}

function outcomeOf({ state, refunded, chargebackState }: PastAttempt): TrialOutcome {
  if (chargebackState !== null) return 'chargedBack'
  if (refunded > 0n) return 'refunded'
  if (wasPaid(state)) return 'succeeded'
  return isOpen(state) ? 'open' : 'failed'
}

function dollars(cents: bigint): string {
  return formatAmount(cents, 'USD')
}

// Uses that are too old to count for any later payment are dropped. Therefore the memory depends on the rule's window
// and not on the 30 days.

/**
 * The uses of a key in the order in which they were added, each with the sum of all earlier uses. A count or sum takes
 * one binary search, and stays correct after older uses are dropped.
 */
type Uses = { past: { readonly atMs: number; readonly usdBefore: bigint }[]; usd: bigint }

function createUseCounter(windowMs: number, most: number) {
  const byKey = new Map<string, Uses>()
  let held = 0

  function drop(untilMs: number): void {
    for (const [name, uses] of byKey) {
      const kept = uses.past.slice(firstCounted(uses, untilMs))
      held -= uses.past.length - kept.length
      if (kept.length === 0) byKey.delete(name)
      else uses.past = kept
    }
  }

  return {
    /**
     * Adds a use. Returns false if more than `most` uses are left after dropping old ones. Later uses must not be older
     * than `reachedMs`.
     */
    add({ merNo, key, usdValue }: Use, at: Date, reachedMs: number): boolean {
      const name = `${merNo} ${key}`
      const uses = byKey.get(name)
      const use = { atMs: at.getTime(), usdBefore: uses?.usd ?? 0n }
      // Most keys are used once. An array literal takes less memory than an array that grows by `push`.
      if (uses === undefined) byKey.set(name, { past: [use], usd: usdValue })
      else {
        uses.past.push(use)
        uses.usd += usdValue
      }
      held++
      // `drop` reads every key, so it is called only at twice the limit. Then either at least half of the uses are
      // dropped, or the trial ends.
      if (held <= 2 * most) return true
      drop(reachedMs - windowMs)
      return held <= most
    },
    count({ merNo, key, since }: Need): Count {
      const uses = byKey.get(`${merNo} ${key}`)
      if (uses === undefined) return { payments: 0, usd: 0n }
      const begin = firstCounted(uses, since.getTime())
      const first = uses.past[begin]
      const usd = first === undefined ? 0n : uses.usd - first.usdBefore
      return { payments: uses.past.length - begin, usd }
    },
  }
}

/** Returns the index of the first use that counts. Only the newest `MOST_COUNTED` uses count, as for new payments. */
function firstCounted({ past }: Uses, ms: number): number {
  let [low, high] = [Math.max(0, past.length - MOST_COUNTED), past.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((past[middle]?.atMs ?? 0) > ms) high = middle
    else low = middle + 1
  }
  return low
}
