// Chooses the rails for a payout and their order. The merchant's routes decide, as for payments. Without routes for a
// kind, the rails come in the order of the settings and not at random, because each rail must hold the money that it
// pays out. A rail with an open circuit breaker comes last, and a paused rail is skipped. Payouts have breakers of
// their own, because a rail's payouts may fail while the payments of the same entry succeed.
import type { Clock } from '../../platform/base/clock.ts'
import type { PayoutOutcome } from '../contract/payout-outcome.ts'
import {
  type AccountKind,
  type Beneficiary,
  type PayoutRail,
  payoutMethodOf,
  type Tokenised,
} from '../contract/payout-rail.ts'
import { type BreakerLog, createBreaker, orderByHealth } from './circuit-breaker.ts'
import { type HealthOutcome, kindOf } from './health.ts'
import { isWithin, MAX_TRIED, orderByRoutes, type Route } from './routing.ts'

export type PayoutNeeds = {
  /** The possible kinds of account: more than one until the beneficiary has chosen. */
  readonly kinds: readonly AccountKind[]
  readonly currency: string
  /** The amount. If undefined, the rails' bounds of amounts are ignored. */
  readonly amount: bigint | undefined
  readonly hasExpiry: boolean
  readonly details?: Beneficiary['details']
  /** The only rail that may send the payout. Unset if any rail may send it. */
  readonly only?: string
}

/** A merchant's routes, by method. */
export type PayoutRoutes = ReadonlyMap<string, readonly Route[]>

export type PayoutRouting = {
  /** Returns the rails in the order in which to try them; empty if no rail can send the payout now. */
  pick(needs: PayoutNeeds, routes: PayoutRoutes | undefined): readonly PayoutRail[]
  /** True if any rail, paused or not, can send the payout. */
  canServe(needs: PayoutNeeds, routes: PayoutRoutes | undefined): boolean
  isPaused(rail: string): boolean
  /** Records a call that sent a payout or tokenised a card. An outcome without a call does not count. */
  called(rail: PayoutRail, outcome: PayoutOutcome | Tokenised, ms: number): void
  openBreakers(): readonly string[]
}

type PayoutRoutingOptions = {
  readonly rails: Pick<PayoutRails, 'all'>
  readonly clock: Clock
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
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
    openBreakers: breaker.open,
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

export type PayoutRails = {
  /** All rails in the order of the settings. */
  readonly all: readonly PayoutRail[]
  /** Returns the rail with this name; undefined if its entry is no longer configured. */
  named(name: string): PayoutRail | undefined
  readonly longestTimeoutMs: number
}

/** The rails of a running gateway, whose settings may change. */
export type ChangingRails = PayoutRails & { replace(rails: readonly PayoutRail[]): void }

export function registerPayoutRails(rails: readonly PayoutRail[]): ChangingRails {
  let all = rails
  return {
    get all() {
      return all
    },
    named: (name) => all.find((rail) => rail.name === name),
    get longestTimeoutMs() {
      return Math.max(0, ...all.map((rail) => rail.timeoutMs))
    },
    replace(rails) {
      all = rails
    },
  }
}
