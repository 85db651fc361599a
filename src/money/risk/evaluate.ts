// What lists and rules say about one payment. Pure rules: counts are read by the caller, between `begin` and `finish`.
//
// An allow entry wins over every block entry and every rule, of whatever scope, but not over a card network that forbids to try
// a card again. A block entry wins over rules. Of several rules each one that holds counts; a refusal wins over a challenge and
// a review.
import { parseDecimal } from '../base/money.ts'
import { isMethod, methods } from '../channels/method.ts'
import { networkOf } from '../http/addresses.ts'
import type { Entry } from './entry.ts'
import type { Facts } from './facts.ts'
import type { CountedBy, Rule, RuleAction } from './rule.ts'
import { findEntry, findForbidden, type Scope } from './snapshot.ts'

export type Hit = {
  /** Of the rule or entry. */
  readonly sourceId: string
  /** What the log calls it. */
  readonly name: string
  readonly action: RuleAction
  /** It only counted. */
  readonly watched: boolean
}

/** A row for velocity rules to count. */
export type Use = { readonly merNo: number; readonly key: string; readonly usdValue: bigint }

export type Verdict = {
  readonly hits: readonly Hit[]
  readonly uses: readonly Use[]
  /** The one that refuses the payment. */
  readonly refusal: Hit | undefined
  readonly challenges: boolean
  readonly reviews: boolean
}

/** Payments by this key since then. */
export type Need = { readonly merNo: number; readonly key: string; readonly since: Date }

export type Count = { readonly payments: number; readonly usd: bigint }

type Pending = { readonly rule: Rule; readonly needs: readonly Need[] }

export type Begun = {
  readonly uses: readonly Use[]
  readonly hits: readonly Hit[]
  /** Rules that hold if their counts do. */
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

function refusedBy({ entryId, kind }: Entry, uses: readonly Use[]): Begun {
  const hit: Hit = { sourceId: entryId, name: `Block list: ${kind}`, action: 'refuse', watched: false }
  return { uses, hits: [hit], pending: [] }
}

export function needsIn({ pending }: Begun): readonly Need[] {
  return pending.flatMap(({ needs }) => needs)
}

/** `counts` in the order of the needs. Undefined if nothing concerns the payment. */
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

/** What is not known is in no list. */
function isOutside(list: readonly string[] | undefined, value: string | undefined): boolean {
  return list !== undefined && (value === undefined || !list.includes(value))
}

/** Only cards can be challenged, and only what can be sent back can be reviewed. */
function isPossible(action: RuleAction, method: string): boolean {
  if (action === 'refuse') return true
  if (action === 'challenge') return method === 'card'
  return isMethod(method) && methods[method].refundable
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** First the card's, then the velocity's. A payment without the key, such as one without a card, has no row to count. */
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

/** A stored amount is a decimal. */
function cents(dollars: string): bigint {
  return parseDecimal(dollars, 'USD') ?? 0n
}
