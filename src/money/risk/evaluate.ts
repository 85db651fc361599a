// Pure rules: they evaluate the lists and rules for one payment. The caller reads counts between `begin` and `finish`.
//
// There are two scopes: the platform and the merchant. An allow entry overrides the block entries and rules of both
// scopes, with one exception: block entries for cards that the card network forbids to try again. A block entry
// overrides rules. A rule is a hit if its conditions hold and its action is possible for the method. A refusal
// overrides a challenge and a review. The payer states the country, so an allow entry for a country exempts every payer
// who states that country.
//
// A refused payment is declined as a bank would decline it, so that the payer does not learn of the rule. Only the back
// office and the operator's commands name the rule. See docs/decisions/0231-a-rule-declines-like-a-bank.md.
import { parseDecimal } from '../../platform/base/money.ts'
import { networkOf } from '../../platform/http/addresses.ts'
import { isMethod, methods } from '../../rails/methods/methods.ts'
import type { Entry } from './entry.ts'
import type { Facts } from './facts.ts'
import type { CountedBy, Rule, RuleAction } from './rule.ts'
import { findEntry, findForbidden, type Scope } from './snapshot.ts'

export type Hit = {
  /** The id of the rule or entry. */
  readonly sourceId: string
  /** The name of the rule or entry in the log. */
  readonly name: string
  readonly action: RuleAction
  /** True if the rule was only watching. */
  readonly watched: boolean
}

/** An attempt's use of a key, such as a card or an address. Rules count uses. */
export type Use = { readonly merNo: number; readonly key: string; readonly usdValue: bigint }

export type Verdict = {
  readonly hits: readonly Hit[]
  readonly uses: readonly Use[]
  /** The first hit that refuses the payment, if there is one. */
  readonly refusal: Hit | undefined
  readonly challenges: boolean
  readonly reviews: boolean
}

/** A count that a rule needs: the number and the value of the payments with this key since this time. */
export type Need = { readonly merNo: number; readonly key: string; readonly since: Date }

export type Count = { readonly payments: number; readonly usd: bigint }

type Pending = { readonly rule: Rule; readonly needs: readonly Need[] }

type Begun = {
  readonly uses: readonly Use[]
  readonly hits: readonly Hit[]
  /** The rules whose conditions on counts are still to be checked. All other conditions of these rules hold. */
  readonly pending: readonly Pending[]
}

export function begin(scopes: readonly Scope[], facts: Facts, now: Date): Begun {
  const uses = usesOf(scopes, facts)
  for (const { block } of scopes) {
    const forbidden = findForbidden(block, facts, now)
    if (forbidden !== undefined) return refusedBy(forbidden, uses)
  }
  if (scopes.some(({ allow }) => findEntry(allow, facts, now) !== undefined))
    return { uses, hits: [], pending: [] }
  for (const { block } of scopes) {
    const entry = findEntry(block, facts, now)
    if (entry !== undefined) return refusedBy(entry, uses)
  }
  const rules = scopes.flatMap((scope) => scope.rules).filter((rule) => holdsWithoutCounts(rule, facts))
  const pending = rules.map((rule) => ({ rule, needs: needsOf(rule, facts, now) }))
  return {
    uses,
    hits: pending.filter(({ needs }) => needs.length === 0).map(({ rule }) => hitOf(rule)),
    pending: pending.filter(({ needs }) => needs.length > 0),
  }
}

/**
 * Returns the result of a block entry. The uses of the refused attempt are also stored, so that velocity rules count
 * repeated attempts of a refused payer.
 */
function refusedBy({ entryId, kind }: Entry, uses: readonly Use[]): Begun {
  const hit: Hit = { sourceId: entryId, name: `Block list: ${kind}`, action: 'refuse', watched: false }
  return { uses, hits: [hit], pending: [] }
}

export function needsIn({ pending }: Begun): readonly Need[] {
  return pending.flatMap(({ needs }) => needs)
}

/**
 * Returns the verdict. Undefined if there are no hits and no uses. `counts` has one count per need, in the sequence of
 * the needs.
 */
export function finish(
  { uses, hits, pending }: Begun,
  facts: Facts,
  counts: readonly Count[],
): Verdict | undefined {
  let at = 0
  const counted = pending.filter(({ rule, needs }) => {
    const own = counts.slice(at, at + needs.length)
    at += needs.length
    return holdsByCounts(rule, facts, own)
  })
  const all = [...hits, ...counted.map(({ rule }) => hitOf(rule))]
  if (all.length === 0 && uses.length === 0) return undefined
  const effective = all.filter(({ watched }) => !watched)
  const refusal = effective.find(({ action }) => action === 'refuse')
  const does = (wanted: RuleAction) =>
    refusal === undefined && effective.some(({ action }) => action === wanted)
  return { hits: all, uses, refusal, challenges: does('challenge'), reviews: does('review') }
}

function hitOf({ ruleId, name, action, state }: Rule): Hit {
  return { sourceId: ruleId, name, action, watched: state === 'watching' }
}

function holdsWithoutCounts({ action, conditions }: Rule, facts: Facts): boolean {
  const { methods, countries, issuerCountries, bins, above, countriesDiffer } = conditions
  const { method, country, issuerCountry, shippingCountry, bin, usdValue } = facts
  if (!isPossible(action, method)) return false
  if (methods?.includes(method) === false) return false
  if (isOutside(countries, country) || isOutside(issuerCountries, issuerCountry) || isOutside(bins, bin))
    return false
  if (above !== undefined && usdValue <= cents(above)) return false
  if (countriesDiffer === true)
    return country !== undefined && shippingCountry !== undefined && country !== shippingCountry
  return true
}

/** True if there is a list that does not contain the value. No list contains an unknown value. */
function isOutside(list: readonly string[] | undefined, value: string | undefined): boolean {
  return list !== undefined && (value === undefined || !list.includes(value))
}

/** True if the action is possible: only cards can be challenged, and only refundable payments can be reviewed. */
function isPossible(action: RuleAction, method: string): boolean {
  if (action === 'refuse') return true
  if (action === 'challenge') return method === 'card'
  return isMethod(method) && methods[method].refundable
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/**
 * Returns the counts that a rule needs: first the count for `newCardDays`, then the count for `velocity`. If the
 * payment lacks the counted fact, such as the card, the key is empty and the count will be 0.
 */
function needsOf({ merNo, conditions: { newCardDays, velocity } }: Rule, facts: Facts, now: Date): Need[] {
  const since = (ms: number) => new Date(now.getTime() - ms)
  const wanted: (readonly [CountedBy, Date])[] = [
    ...(newCardDays === undefined ? [] : [['card', since(newCardDays * DAY_MS)] as const]),
    ...(velocity === undefined ? [] : [[velocity.per, since(velocity.minutes * MINUTE_MS)] as const]),
  ]
  return wanted.map(([per, from]) => ({ merNo, key: keyOf(per, facts) ?? '', since: from }))
}

function holdsByCounts({ conditions }: Rule, facts: Facts, counts: readonly Count[]): boolean {
  const { newCardDays, velocity } = conditions
  const [first, second] = counts
  if (newCardDays !== undefined && (facts.card === undefined || first?.payments !== 0)) return false
  if (velocity === undefined) return true
  const count = newCardDays === undefined ? first : second
  if (count === undefined || keyOf(velocity.per, facts) === undefined) return false
  const { mostPayments, mostAmount } = velocity
  const isTooMany = mostPayments !== undefined && count.payments + 1 > mostPayments
  const isTooMuch = mostAmount !== undefined && count.usd + facts.usdValue > cents(mostAmount)
  return isTooMany || isTooMuch
}

function usesOf(scopes: readonly Scope[], facts: Facts): Use[] {
  return scopes.flatMap(({ merNo, counted }) =>
    counted.flatMap((per) => {
      const key = keyOf(per, facts)
      return key === undefined ? [] : [{ merNo, key, usdValue: facts.usdValue }]
    }),
  )
}

function keyOf(per: CountedBy, facts: Facts): string | undefined {
  const value = countedValue(per, facts)
  return value === undefined ? undefined : `${per}:${value}`
}

function countedValue(per: CountedBy, { card, emails, address, device, merNo }: Facts): string | undefined {
  switch (per) {
    case 'card':
      return card
    case 'email':
      return emails[0]
    case 'address':
      return address === undefined ? undefined : networkOf(address)
    case 'device':
      return device
    case 'merchant':
      return String(merNo)
  }
}

function cents(dollars: string): bigint {
  return parseDecimal(dollars, 'USD') ?? 0n
}

export type FoundHit = {
  readonly merNo: number
  readonly tradeNo: string
  readonly attemptNo: number
  readonly sourceId: string
  readonly name: string
  readonly action: RuleAction
  readonly watched: boolean
  readonly at: Date
}

export type HitFilter = {
  readonly sourceId: string | undefined
  /** The last hit of the previous page. */
  readonly after: Pick<FoundHit, 'at' | 'tradeNo' | 'sourceId'> | undefined
}
