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
import { begin, type Count, finish, type Need, needsIn, type Use } from '../../risk/evaluate.ts'
import { factsOf } from '../../risk/facts.ts'
import { MOST_DAYS, type Rule } from '../../risk/rule.ts'
import { createSnapshot, type Snapshot } from '../../risk/snapshot.ts'
import { type Trial, type TrialOutcome, trialOutcomes } from '../../risk/trial.ts'

const DAY_MS = 86_400_000
const MOST_EXAMPLES = 20

type Sum = { orders: number; usd: bigint }

export type TrialDeps = { readonly db: Db; readonly clock: Clock; readonly bins: BinTable }

type Report = (progress: { readonly done: number; readonly total: number }) => void

/** Stores the result with the rule, if the rule is still the same. */
export async function tryRule({ db, clock, bins }: TrialDeps, rule: Rule, report: Report): Promise<Trial> {
  const until = clock.now()
  const begunMs = until.getTime() - MOST_DAYS * DAY_MS
  const allowed = (await currentEntries(db, until)).filter(({ list }) => list === 'allow')
  const trial = startTrial(createSnapshot(allowed, [{ ...rule, state: 'on' }]), bins)
  for (let day = 0; day < MOST_DAYS; day++) {
    const from = new Date(begunMs + day * DAY_MS)
    const span = { from, until: new Date(from.getTime() + DAY_MS), merNo: rule.merNo }
    await readAttempts(db, span, trial.add)
    report({ done: day + 1, total: MOST_DAYS })
  }
  const found = { days: MOST_DAYS, ...trial.result() }
  const { ruleId, version } = rule
  await recordTrial(db, { ruleId, version, found, at: clock.now() })
  return found
}

function startTrial(snapshot: Snapshot, bins: BinTable) {
  const uses = createCounter()
  const seen = new Set<string>()
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
    add(attempt: PastAttempt): void {
      const { merNo, method, usdValue, details, at, tradeNo } = attempt
      // Six digits of a past card are stored: a country that the table has by more of them is not known.
      const card = attempt.card && { ...attempt.card, country: bins.find(attempt.card.first6)?.country }
      seen.add(tradeNo)
      const facts = factsOf({ merNo, method, usdValue, card, details })
      const begun = begin(snapshot.scopesOf(merNo), facts, at)
      const verdict = finish(begun, facts, needsIn(begun).map(uses.count))
      for (const use of begun.uses) uses.add(use, at)
      if (verdict === undefined || verdict.hits.length === 0 || hit.has(tradeNo)) return
      hit.add(tradeNo)
      const sum = sums[outcomeOf(attempt)]
      sum.orders++
      sum.usd += usdValue
      examples.unshift(attempt)
      examples.splice(MOST_EXAMPLES)
    },
    result() {
      const usd = trialOutcomes.reduce((all, name) => all + sums[name].usd, 0n)
      return {
        orders: seen.size,
        hits: hit.size,
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

/** Uses by key, oldest first, each with the sum up to it: a count is two lookups. */
function createCounter() {
  const byKey = new Map<string, { readonly atMs: number; readonly usdSoFar: bigint }[]>()
  return {
    add({ merNo, key, usdValue }: Use, at: Date): void {
      const name = `${merNo} ${key}`
      const uses = byKey.get(name) ?? []
      if (uses.length === 0) byKey.set(name, uses)
      uses.push({ atMs: at.getTime(), usdSoFar: (uses.at(-1)?.usdSoFar ?? 0n) + usdValue })
    },
    count({ merNo, key, since }: Need): Count {
      const uses = byKey.get(`${merNo} ${key}`) ?? []
      const before = firstAfter(uses, since.getTime())
      const usdBefore = uses[before - 1]?.usdSoFar ?? 0n
      return { payments: uses.length - before, usd: (uses.at(-1)?.usdSoFar ?? 0n) - usdBefore }
    },
  }
}

function firstAfter(uses: readonly { readonly atMs: number }[], ms: number): number {
  let [low, high] = [0, uses.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((uses[middle]?.atMs ?? 0) > ms) high = middle
    else low = middle + 1
  }
  return low
}
