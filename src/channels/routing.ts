// Which channel a payment goes to, and which ones after it, should the first be in trouble. Priority decides, the lowest
// first; among equals each leads as often as its weight says. A channel that keeps failing is set aside: it comes last, and
// after a while one payment tries it where it belongs. What is known of trouble is this process's own, and may be forgotten.
import type { Clock } from '../base/clock.ts'
import type { Channel, Outcome } from './contract.ts'
import type { Method } from './method.ts'
import type { Channels } from './registry.ts'

/** How one merchant uses one channel of a method. */
export type Route = { readonly channel: string; readonly priority: number; readonly weight: number }

export type Routing = {
  /** The channels for one payment, in the order to try them; none when the method is not served. */
  pick(
    method: Method,
    routes: readonly Route[] | undefined,
    serves?: (channel: Channel) => boolean,
  ): readonly Channel[]
  /** All that a merchant's payments by a method may go to, in no order. */
  serving(method: Method, routes: readonly Route[] | undefined): readonly Channel[]
  /** What came of opening a payment there. */
  opened(channel: Channel, outcome: Outcome): void
}

export type RoutingOptions = {
  readonly channels: Channels
  readonly clock: Clock
  /** From 0 up to 1, and never 1. */
  readonly random?: () => number
}

const FAILURES_IN_A_ROW = 5
const ASIDE_MS = 30_000
// A payer waits meanwhile.
const MOST_TRIED = 3

type Trouble = { readonly inARow: number; readonly asideUntilMs: number }

export function createRouting({ channels, clock, random = Math.random }: RoutingOptions): Routing {
  const troubles = new Map<string, Trouble>()
  const isSetAside = ({ name }: Channel) => (troubles.get(name)?.asideUntilMs ?? 0) > clock.now().getTime()

  function setAside(name: string, inARow: number): void {
    troubles.set(name, { inARow, asideUntilMs: clock.now().getTime() + ASIDE_MS })
  }

  /** Whose time is over is tried by the one payment that begins there: to all others it is set aside again. */
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
      return [...ready, ...order.filter((channel) => !ready.includes(channel))].slice(0, MOST_TRIED)
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

/** A decline is an answer. Silence is trouble too, though the payment that met it stays where it is. */
function isTrouble(outcome: Outcome): boolean {
  if (outcome.kind === 'failed') return outcome.cause === 'unreachable' || outcome.cause === 'refused'
  return outcome.kind === 'unknown'
}

type Serving = Omit<Route, 'channel'> & { readonly channel: Channel }

/** Without routes of its own a merchant uses all that are set up, alike. */
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

/** Among equals in priority the waiting times of a race: whoever has twice the weight comes first twice as often. */
export function orderByRoutes<Routed extends Pick<Route, 'priority' | 'weight'>>(
  routes: readonly Routed[],
  random: () => number,
): Routed[] {
  const entered = routes.map((route) => ({ route, waits: -Math.log(1 - random()) / route.weight }))
  return entered
    .sort((one, other) => one.route.priority - other.route.priority || one.waits - other.waits)
    .map(({ route }) => route)
}
