// STP's lists of received orders. One may be many megabytes and messages come in bursts, so readings are shared: a day is read once
// at a time, those that come meanwhile wait for the next reading together, and an order that the last one shows as settled is
// found in it for a few seconds. Nothing else is concluded from an older reading.
//
// Without a secret in the callback address anybody may send messages. Then a day is read at most every few seconds, and one that is
// past at most as often as the watcher reads: what is found later is not lost.
import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from '../../base/clock.ts'
import { type Fields, isObject } from '../../base/object.ts'
import { createSingleFlight } from '../../concurrency/single-flight.ts'
import { withDeadline } from '../deadline.ts'
import { daysListing, isReadable, mayBeCurrent } from './operation-day.ts'
import { outcomeOf } from './orders.ts'
import { NO_ORDERS, type StpApi } from './stp-api.ts'

export type Lists = {
  /** The received orders of a day; undefined when STP cannot be asked. */
  read(day: string): Promise<readonly Fields[] | undefined>
  /** The order of that day that is meant; undefined when STP does not list it, or cannot be asked. */
  find(day: string, isMeant: (order: Fields) => boolean): Promise<Fields | undefined>
}

export type ListsOptions = {
  readonly api: StpApi
  readonly clock: Clock
  readonly timeoutMs: number
  /** Only STP knows where to send messages. */
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
  /** How many readings of a day have begun: a call never shares one that began before it. */
  const begun = new Map<string, number>()
  /** When a reading of a day began last, and when a message last caused one of a past day. */
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
    // STP may refuse to list its current day by name. It is listed without.
    const isListed = asked !== undefined && mayBeCurrent(asked, clock.now())
    return reply.id === NO_ORDERS || isListed ? [] : undefined
  }

  /** A past day, for a message that anybody may have sent. */
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
