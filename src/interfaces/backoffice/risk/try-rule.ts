// What a rule would have done to the payments of the last 30 days: the rule that payments are checked by runs over them in the
// order of their time, with its own counts, because nothing was counted before it existed. Allow entries exempt as they do now.
import type { BinTable } from '../../base/bin-table.ts'
import type { Clock } from '../../base/clock.ts'
import { formatAmount } from '../../base/money.ts'
import { type PastAttempt, readAttempts } from '../../order-queries/read-attempts.ts'
import { isOpen, wasPaid } from '../../orders/order.ts'
import type { Db } from '../../postgres/db.ts'
import { currentEntries } from '../../risk/change-lists.ts'
import { recordTrial } from '../../risk/change-rules.ts'
import { begin, finish, needsIn } from '../../risk/evaluate.ts'
import { factsOf } from '../../risk/facts.ts'
import { MOST_DAYS, type Rule } from '../../risk/rule.ts'
import { createSnapshot, type Snapshot } from '../../risk/snapshot.ts'
import { type Trial, type TrialOutcome, trialOutcomes } from '../../risk/trial.ts'
import { createUseCounter } from './use-counter.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const MOST_EXAMPLES = 20
/** In the window of the rule. A trial runs beside payments, in their process; twice as many single uses take 28 MB. */
const MOST_USES = 50_000

type Sum = { orders: number; usd: bigint }

export type TrialDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly bins: BinTable
  readonly mostUses?: number
}

type Report = (progress: { readonly done: number; readonly total: number }) => void

/** Stores the result with the rule, if the rule is still the same. */
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
      // A payer may come back to an order on a later day, whose own orders are read after it.
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

/** How far back the rule counts. */
function windowMsOf({ conditions: { newCardDays = 0, velocity } }: Rule): number {
  return Math.max(newCardDays * DAY_MS, (velocity?.minutes ?? 0) * MINUTE_MS)
}

function startTrial(snapshot: Snapshot, bins: BinTable, uses: ReturnType<typeof createUseCounter>) {
  let [orders, hits] = [0, 0]
  /** Orders that were hit and have attempts to come. */
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
    /** False if there is too much to count. */
    add(attempt: PastAttempt, reachedMs: number): boolean {
      const { merNo, method, usdValue, details, at, tradeNo } = attempt
      // Six digits of a past card are stored: a country that the table has by more of them is not known.
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
