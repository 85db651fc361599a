// Chooses the rails for a payout and their order: those of the merchant's routes, by priority and weight as for payments. A
// merchant without routes for a kind uses all rails in the order of the settings, because each has to hold the money that it
// pays out. A rail that keeps failing is moved to the end, and a paused one is passed.
//
// A rail may fail at payouts while its entry takes payments, so payouts have a breaker of their own.
import type { Clock } from '../../base/clock.ts'
import { type BreakerLog, createBreaker, orderByHealth } from '../breaker.ts'
import { type HealthOutcome, kindOf } from '../health.ts'
import { isWithin, MAX_TRIED, orderByRoutes, type Route } from '../routing.ts'
import type { AccountKind, Beneficiary, PayoutOutcome, PayoutRail, Tokenised } from './contract.ts'
import { payoutMethodOf } from './methods.ts'
import type { PayoutRails } from './registry.ts'

export type PayoutNeeds = {
  /** Several while the beneficiary has not chosen one. */
  readonly kinds: readonly AccountKind[]
  readonly currency: string
  /** Undefined: any. */
  readonly amount: bigint | undefined
  /** The expiry date of the card is known. */
  readonly hasExpiry: boolean
  /** The beneficiary's, if they are known. */
  readonly details?: Beneficiary['details']
  /** The name of the rail, if no other may send it. */
  readonly only?: string
}

/** A merchant's routes, by method. */
export type PayoutRoutes = ReadonlyMap<string, readonly Route[]>

export type PayoutRouting = {
  /** The rails for one payout, in the order to try them; empty when none can send it now. */
  pick(needs: PayoutNeeds, routes: PayoutRoutes | undefined): readonly PayoutRail[]
  /** Whether a rail can send it, paused or not. */
  canServe(needs: PayoutNeeds, routes: PayoutRoutes | undefined): boolean
  isPaused(rail: string): boolean
  /** Records how a call to send a payout, or to exchange a card for a token, ended. */
  called(rail: PayoutRail, outcome: PayoutOutcome | Tokenised, ms: number): void
  /** Those that keep failing, for a while. */
  setAside(): readonly string[]
}

export type PayoutRoutingOptions = {
  readonly rails: Pick<PayoutRails, 'all'>
  readonly clock: Clock
  /** From 0 (inclusive) to 1 (exclusive). */
  readonly random?: () => number
  readonly isPaused?: (rail: string) => boolean
  readonly count?: (rail: string, outcome: HealthOutcome, ms: number) => void
  readonly log?: BreakerLog
}

export function createPayoutRouting(options: PayoutRoutingOptions): PayoutRouting {
  const { rails, clock, random = Math.random, isPaused = () => false, count, log } = options
  const breaker = createBreaker({ clock, calls: 'payouts', log })

  function serving(needs: PayoutNeeds, routes: PayoutRoutes | undefined): PayoutRail[] {
    const inOrder = needs.kinds.flatMap((kind) => {
      const able = rails.all.filter((rail) => serves(rail, kind, needs))
      return byRoutes(able, routes?.get(payoutMethodOf(kind)), random)
    })
    return [...new Set(inOrder)]
  }

  return {
    pick(needs, routes) {
      const running = serving(needs, routes).filter(({ name }) => !isPaused(name))
      return orderByHealth(breaker, running).slice(0, MAX_TRIED)
    },
    canServe: (needs, routes) => serving(needs, routes).length > 0,
    setAside: breaker.open,
    isPaused,
    called({ name }, outcome, ms) {
      if (outcome.kind === 'failed' && outcome.isLocal === true) return breaker.untried(name)
      const health = kindOf(outcome)
      count?.(name, health, ms)
      breaker.record(name, health === 'failed' || health === 'unknown')
    },
  }
}

function serves(rail: PayoutRail, kind: AccountKind, needs: PayoutNeeds): boolean {
  const { kinds, currencies: all, cardCurrencies = all, amounts, needsExpiry, serves: named = {} } = rail
  const currencies = kind === 'card' ? cardCurrencies : all
  const { currency, hasExpiry, details = {}, only = rail.name } = needs
  if (rail.name !== only) return false
  if (!kinds.includes(kind) || (currencies !== 'any' && !currencies.includes(currency))) return false
  if (!isWithin(amounts, needs)) return false
  if (Object.entries(named).some(([name, values]) => !values.some((value) => value === details[name])))
    return false
  return kind !== 'card' || hasExpiry || needsExpiry !== true
}

function byRoutes(
  rails: readonly PayoutRail[],
  routes: readonly Route[] | undefined,
  random: () => number,
): readonly PayoutRail[] {
  if (routes === undefined) return rails
  const routed = routes.flatMap(({ channel, ...route }) => {
    const rail = rails.find(({ name }) => name === channel)
    return rail === undefined ? [] : [{ rail, ...route }]
  })
  return orderByRoutes(routed, random).map(({ rail }) => rail)
}
