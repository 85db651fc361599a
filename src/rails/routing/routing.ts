// Chooses the channels for a payment and their order. The channel with the lowest priority number comes first. Among
// channels of equal priority, the weights decide how often a channel is first. A channel whose circuit breaker is open
// comes last. This file also decides whether a channel can serve a payment.
import type { Clock } from '../../platform/base/clock.ts'
import { Refusal } from '../../platform/errors/catalogue.ts'
import type { Channel, ChannelTraits, Outcome } from '../contract/channel.ts'
import type { Method } from '../methods/methods.ts'
import { allTerminals, type Terminal, type Terminals } from '../methods/terminal.ts'
import type { Fields } from '../methods/traits.ts'
import { type BreakerLog, createBreaker, orderByHealth } from './circuit-breaker.ts'
import { kindOf } from './health.ts'

/** A merchant's priority and weight for one channel of a method. */
export type Route = { readonly channel: string; readonly priority: number; readonly weight: number }

export type Routing = {
  /** Returns the channels in the order in which to try them; empty if no channel can serve the payment. */
  pick(
    method: Method,
    routes: readonly Route[] | undefined,
    serves?: (channel: Channel) => boolean,
  ): readonly Channel[]
  /** Returns all channels for a merchant's method that are not paused, in no particular order. */
  serving(method: Method, routes: readonly Route[] | undefined): readonly Channel[]
  /** Records a call that opened a payment. An outcome without a call does not count. */
  opened(channel: Channel, outcome: Outcome, ms: number): void
  openBreakers(): readonly string[]
}

export type RoutingOptions = {
  readonly channels: Channels
  readonly clock: Clock
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  readonly random?: () => number
  /** True if an operator has paused the channel: new payments skip it. */
  readonly isPaused?: (channel: string) => boolean
  readonly count?: (channel: string, outcome: Outcome, ms: number) => void
  readonly log?: BreakerLog
}

/** The maximum number of channels that a payment tries. The payer waits for all these calls. */
export const MAX_TRIED = 3

export function createRouting(options: RoutingOptions): Routing {
  const { channels, clock, random = Math.random, isPaused = () => false, count, log } = options
  const breaker = createBreaker({ clock, calls: 'payments', log })
  const running = (method: Method, routes: readonly Route[] | undefined) =>
    servingChannels(channels, method, routes).filter(({ channel }) => !isPaused(channel.name))
  return {
    pick(method, routes, serves) {
      const all = running(method, routes)
      const serving = serves === undefined ? all : all.filter(({ channel }) => serves(channel))
      if (serving.length === 1) return serving.map(({ channel }) => channel)
      const order = orderByRoutes(serving, random).map(({ channel }) => channel)
      return orderByHealth(breaker, order).slice(0, MAX_TRIED)
    },
    serving: (method, routes) => running(method, routes).map(({ channel }) => channel),
    openBreakers: breaker.open,
    opened({ name }, outcome, ms) {
      if (outcome.kind === 'failed' && outcome.isLocal === true) return breaker.untried(name)
      count?.(name, outcome, ms)
      const health = kindOf(outcome)
      breaker.record(name, health === 'failed' || health === 'unknown')
    },
  }
}

type Serving = Omit<Route, 'channel'> & { readonly channel: Channel }

/** Returns the channels of the merchant's routes. Without routes, all configured channels have the same weight. */
export function servingChannels(
  channels: Channels,
  method: Method,
  routes: readonly Route[] | undefined,
): Serving[] {
  const served = channels.forMethod(method)
  if (routes === undefined) return served.map((channel) => ({ channel, priority: 1, weight: 1 }))
  return routes.flatMap(({ channel: name, priority, weight }) => {
    const channel = served.find((one) => one.name === name)
    return channel === undefined ? [] : [{ channel, priority, weight }]
  })
}

/**
 * Orders routes by priority. Routes of equal priority are sorted by random, exponentially distributed waiting times, so
 * a route with twice the weight comes first twice as often.
 */
export function orderByRoutes<Routed extends Pick<Route, 'priority' | 'weight'>>(
  routes: readonly Routed[],
  random: () => number,
): Routed[] {
  const entered = routes.map((route) => ({ route, waits: -Math.log(1 - random()) / route.weight }))
  return entered
    .sort((one, other) => one.route.priority - other.route.priority || one.waits - other.waits)
    .map(({ route }) => route)
}

export type Channels = {
  /** Returns the channels of a method, in the order of the settings. */
  forMethod(method: Method): readonly Channel[]
  readonly all: readonly Channel[]
  /**
   * Returns the channel of an attempt; undefined if its entry is no longer configured. If the entry has no channel of
   * this method, the first channel of the entry is returned.
   */
  named(name: string, method?: Method): Channel | undefined
  readonly longestTimeoutMs: number
}

export function registerChannels(channels: readonly Channel[]): ChangingChannels {
  let all = channels
  let byName = Map.groupBy(all, (channel) => channel.name)
  let byMethod = Map.groupBy(all, (channel) => channel.method)
  return {
    get all() {
      return all
    },
    get longestTimeoutMs() {
      return Math.max(0, ...all.map((channel) => channel.traits.timeoutMs))
    },
    forMethod: (method) => byMethod.get(method) ?? [],
    named(name, method) {
      const channels = byName.get(name)
      return channels?.find((channel) => channel.method === method) ?? channels?.[0]
    },
    replace(channels) {
      all = channels
      byName = Map.groupBy(all, (channel) => channel.name)
      byMethod = Map.groupBy(all, (channel) => channel.method)
    },
  }
}

/** The channels of a running gateway, whose settings may change. */
export type ChangingChannels = Channels & { replace(channels: readonly Channel[]): void }

export type Needs = {
  readonly currency: string
  /** The amount; undefined until the payer has entered it. */
  readonly amount?: bigint | undefined
  /** The payer's country, if the merchant sent it. */
  readonly country?: string | undefined
  /** The fields that the merchant and the payer have sent. */
  readonly fields?: Fields
  readonly terminals: Terminals
  /** True if the merchant sent an Apple Pay or Google Pay token. */
  readonly hasToken: boolean
}

type Traits = Pick<Channel, 'traits'>

/**
 * True if the channel can serve the payment. Routing and the methods on our pages use this rule, and `refusalOf` checks
 * the same conditions.
 */
export function canServe(channel: Traits, needs: Needs): boolean {
  return (
    takes(channel, needs.currency) &&
    isWithin(channel.traits.amounts, needs) &&
    takesCountry(channel, needs) &&
    unservedField(channel, needs) === undefined &&
    opens(channel, needs) &&
    terminalAt(channel, needs.terminals) !== undefined
  )
}

function takes({ traits: { currencies } }: Traits, currency: string): boolean {
  return currencies === 'any' || currencies.includes(currency)
}

export function isWithin(
  amounts: ChannelTraits['amounts'],
  { currency, amount }: Pick<Needs, 'currency' | 'amount'>,
): boolean {
  const bounds = amounts?.get(currency)
  if (bounds === undefined || amount === undefined) return true
  return amount >= (bounds.least ?? amount) && amount <= (bounds.most ?? amount)
}

function takesCountry({ traits: { countries } }: Traits, { country = '' }: Needs): boolean {
  return countries === undefined || country === '' || countries.includes(country)
}

/** Returns the first field whose value the channel does not serve. */
function unservedField({ traits: { serves } }: Traits, { fields }: Needs): string | undefined {
  if (serves === undefined || fields === undefined) return undefined
  return Object.keys(serves).find((name) => {
    const value = fields[name]
    return typeof value === 'string' && value !== '' && serves[name]?.includes(value) === false
  })
}

function opens({ traits }: Traits, { hasToken }: Needs): boolean {
  return hasToken || traits.needsToken !== true
}

/** Returns the first of the wanted terminals that the channel serves. */
export function terminalAt({ traits }: Traits, wanted: Terminals): Terminal | undefined {
  const { terminals } = traits
  return terminals === undefined ? wanted[0] : wanted.find((one) => terminals.includes(one))
}

/** Returns the refusal, with its reason, of a payment that none of these channels can serve. */
export function refusalOf(channels: readonly Channel[], needs: Needs): Refusal {
  if (channels.length === 0) return new Refusal('10011')
  const { currency, terminals } = needs
  const taking = channels.filter((channel) => takes(channel, currency))
  if (taking.length === 0)
    return new Refusal('10019', `no channel accepts ${currency}: send ${listed(currenciesOf(channels))}`)
  const bounded = taking.filter(({ traits }) => isWithin(traits.amounts, needs))
  if (bounded.length === 0) return new Refusal('10011', 'no channel accepts this amount')
  const local = bounded.filter((channel) => takesCountry(channel, needs))
  if (local.length === 0) return new Refusal('10011', `no channel serves payers in ${needs.country}`)
  const asked = local.filter((channel) => unservedField(channel, needs) === undefined)
  if (asked.length === 0) return new Refusal('10011', unservedInWords(local, needs))
  const opening = asked.filter((channel) => opens(channel, needs))
  if (opening.length === 0)
    return new Refusal('10011', "no channel has a payment sheet: send the wallet's token")
  const served = allTerminals.filter((one) => opening.some((channel) => terminalAt(channel, [one])))
  return new Refusal('10011', `no channel serves terminal ${terminals[0]}: send ${listed(served)}`)
}

function unservedInWords(channels: readonly Channel[], { fields = {} }: Needs): string {
  const names = new Set(channels.flatMap(({ traits: { serves = {} } }) => Object.keys(serves)))
  return `no channel serves ${[...names].map((name) => `${name} ${String(fields[name])}`).join(' with ')}`
}

function currenciesOf(channels: readonly Channel[]): readonly string[] {
  const all = channels.flatMap(({ traits: { currencies } }) => (currencies === 'any' ? [] : currencies))
  return [...new Set(all)].sort()
}

function listed(values: readonly string[]): string {
  return values.join(' or ')
}
