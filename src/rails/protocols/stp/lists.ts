// Reads STP's lists of received orders. A list may have many megabytes and webhooks come in bursts, so calls share
// requests to STP. For each day, one request runs at a time, and all calls that arrive during this request share the
// next one. The last list of a day is cached for 5 seconds, and only settled orders are taken from the cache.
//
// If the callback URL contains no secret, anybody can send webhooks. Then two requests for one day are at least 5
// seconds apart, and webhooks cause at most one request in 15 minutes for each day before yesterday. The watcher finds
// the deposits whose webhook caused no request, because it reads all recent days every 15 minutes.
import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from '../../../platform/base/clock.ts'
import { type Fields, isObject } from '../../../platform/base/object.ts'
import { createSingleFlight } from '../../../platform/concurrency/single-flight.ts'
import { withDeadline } from '../../toolkit/deadline.ts'
import { NO_ORDERS, type StpApi } from './api.ts'
import { daysListing, isReadable, mayBeCurrent } from './operation-day.ts'
import { outcomeOf } from './wire.ts'

export type Lists = {
  /** Returns the received orders of a day. Undefined if STP refuses the list or does not answer. */
  read(day: string): Promise<readonly Fields[] | undefined>
  /**
   * Returns the first order of the day that `isMeant` accepts. Undefined if STP lists no such order or does not answer,
   * or if the day may not be read.
   */
  find(day: string, isMeant: (order: Fields) => boolean): Promise<Fields | undefined>
}

type ListsOptions = {
  readonly api: StpApi
  readonly clock: Clock
  readonly timeoutMs: number
  /** True if the callback URL contains a secret, so that only STP can send webhooks. */
  readonly isSecret: boolean
}

type Orders = readonly Fields[]

const KEPT_MS = 5_000
const EVERY_MS = 5_000
const PAST_EVERY_MS = 15 * 60_000
const CURRENT = 'current'

export function createLists({ api, clock, timeoutMs, isSecret }: ListsOptions): Lists {
  const flights = createSingleFlight<Orders | undefined>()
  const kept = new Map<string, Orders>()
  /**
   * The number of requests begun for each day. Calls share a request by this number, so no call shares a request that
   * began before the call.
   */
  const begun = new Map<string, number>()
  /** The time of the last request for each day, and of the last request that a webhook caused for a past day. */
  const [begunAt, causedAt] = [new Map<string, number>(), new Map<string, number>()]
  const ageOf = (times: ReadonlyMap<string, number>, key: string) =>
    performance.now() - (times.get(key) ?? Number.NEGATIVE_INFINITY)

  function readAsked(asked: string | undefined): Promise<Orders | undefined> {
    const key = asked ?? CURRENT
    const count = begun.get(key) ?? 0
    return flights.run(key, String(count), async () => {
      const ageMs = ageOf(begunAt, key)
      if (!isSecret && ageMs < EVERY_MS) await wait(EVERY_MS - ageMs)
      begunAt.set(key, performance.now())
      begun.set(key, (begun.get(key) ?? 0) + 1)
      const orders = await withDeadline(timeoutMs, (signal) => ask(asked, signal))
      if (orders !== undefined) keep(key, orders)
      return orders
    })
  }

  async function ask(asked: string | undefined, signal: AbortSignal): Promise<Orders | undefined> {
    const reply = await api.listReceived(asked, signal)
    if (reply.kind !== 'result') return undefined
    const { lst } = reply.result
    if (Array.isArray(lst)) return lst.filter(isObject)
    // STP may refuse to list its current day by date. This refusal is no failure, because `daysListing` also has the
    // current day without a date.
    const isListed = asked !== undefined && mayBeCurrent(asked, clock.now())
    return reply.id === NO_ORDERS || isListed ? [] : undefined
  }

  /**
   * True if the callback URL has no secret, and a webhook caused a request for this past day less than 15 minutes ago.
   * Otherwise records the time of the request.
   */
  function isTooSoon(asked: string | undefined): boolean {
    if (isSecret || asked === undefined || mayBeCurrent(asked, clock.now())) return false
    if (ageOf(causedAt, asked) < PAST_EVERY_MS) return true
    causedAt.set(asked, performance.now())
    return false
  }

  function keep(key: string, orders: Orders): void {
    kept.set(key, orders)
    const forget = () => kept.get(key) === orders && kept.delete(key)
    setTimeout(forget, KEPT_MS).unref()
  }

  return {
    async read(day) {
      let all: Orders = []
      for (const asked of daysListing(day, clock.now())) {
        const orders = await readAsked(asked)
        if (orders === undefined) return undefined
        all = all.concat(orders)
      }
      return all
    },
    async find(day, isMeant) {
      if (!isReadable(day, clock.now())) return undefined
      const days = daysListing(day, clock.now())
      const isSettled = (order: Fields) => isMeant(order) && outcomeOf(order, '').kind === 'succeeded'
      for (const asked of days) {
        const order = kept.get(asked ?? CURRENT)?.find(isSettled)
        if (order !== undefined) return order
      }
      for (const asked of days) {
        const order = isTooSoon(asked) ? undefined : (await readAsked(asked))?.find(isMeant)
        if (order !== undefined) return order
      }
      return undefined
    },
  }
}
