// Chooses the channels for a payment and their order. The lowest priority comes first; among equals, weights decide how often
// each comes first. A channel that keeps failing is moved to the end, and after a while one payment tries it again. Each
// process keeps this state in memory only.
import type { Clock } from '../base/clock.ts'
import type { Channel, Outcome } from './contract.ts'
import type { Method } from './method.ts'
import type { Channels } from './registry.ts'

/** How one merchant uses one channel of a method. */
export type Route = { readonly channel: string; readonly priority: number; readonly weight: number }

export type Routing = {
  /** The channels for one payment, in the order to try them; empty when none serves the method. */
  pick(
    method: Method,
    routes: readonly Route[] | undefined,
    serves?: (channel: Channel) => boolean,
  ): readonly Channel[]
  /** All channels that may serve a merchant's method, in no particular order. */
  serving(method: Method, routes: readonly Route[] | undefined): readonly Channel[]
  /** Records the outcome of opening a payment. */
  opened(channel: Channel, outcome: Outcome): void
}

export type RoutingOptions = {
  readonly channels: Channels
  readonly clock: Clock
  /** From 0 (inclusive) to 1 (exclusive). */
  readonly random?: () => number
}

const FAILURES_IN_A_ROW = 5
const ASIDE_MS = 30_000
// The payer waits while they are tried.
const MAX_TRIED = 3

type Trouble = { readonly inARow: number; readonly asideUntilMs: number }

export function createRouting({ channels, clock, random = Math.random }: RoutingOptions): Routing {
  const troubles = new Map<string, Trouble>()
  const isSetAside = ({ name }: Channel) => (troubles.get(name)?.asideUntilMs ?? 0) > clock.now().getTime()

  function setAside(name: string, inARow: number): void {
    troubles.set(name, { inARow, asideUntilMs: clock.now().getTime() + ASIDE_MS })
  }

  /** After the pause one payment tries the channel; for all others it stays at the end. */
  function tryAgain({ name }: Channel): void {
    const inARow = troubles.get(name)?.inARow ?? 0
    if (inARow >= FAILURES_IN_A_ROW) setAside(name, inARow)
  }

  return {
    pick(method, routes, serves) {
      const all = servingChannels(channels, method, routes)
      const serving = serves === undefined ? all : all.filter(({ channel }) => serves(channel))
      if (serving.length === 1) return serving.map(({ channel }) => channel)
      const order = orderByRoutes(serving, random).map(({ channel }) => channel)
      const ready = order.filter((channel) => !isSetAside(channel))
      const [first] = ready
      if (first !== undefined) tryAgain(first)
      return [...ready, ...order.filter((channel) => !ready.includes(channel))].slice(0, MAX_TRIED)
    },
    serving: (method, routes) => servingChannels(channels, method, routes).map(({ channel }) => channel),
    opened({ name }, outcome) {
      const inARow = (troubles.get(name)?.inARow ?? 0) + 1
      if (!isTrouble(outcome)) troubles.delete(name)
      else if (inARow >= FAILURES_IN_A_ROW) setAside(name, inARow)
      else troubles.set(name, { inARow, asideUntilMs: 0 })
    },
  }
}

/** A decline is a normal response. A missing response counts as trouble, but its payment stays at the channel. */
function isTrouble(outcome: Outcome): boolean {
  if (outcome.kind === 'failed') return outcome.cause === 'unreachable' || outcome.cause === 'refused'
  return outcome.kind === 'unknown'
}

type Serving = Omit<Route, 'channel'> & { readonly channel: Channel }

/** Without routes, a merchant uses all configured channels equally. */
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

/** Orders by priority, then by exponential waiting times: twice the weight comes first twice as often. */
export function orderByRoutes<Routed extends Pick<Route, 'priority' | 'weight'>>(
  routes: readonly Routed[],
  random: () => number,
): Routed[] {
  const entered = routes.map((route) => ({ route, waits: -Math.log(1 - random()) / route.weight }))
  return entered
    .sort((one, other) => one.route.priority - other.route.priority || one.waits - other.waits)
    .map(({ route }) => route)
}
