// Limits attempts on our pages per card and per network. A payer who mistypes stays below these limits, but somebody
// who tests many stolen cards does not. From its start, an attempt counts as failed until it is known to be paid.
// Therefore parallel attempts, and attempts abandoned at the bank's challenge, count too. The sandbox has no limits.
import type { Clock } from '../../platform/base/clock.ts'
import { networkOf } from '../../platform/http/addresses.ts'
import { countEvents } from '../../platform/http/server/rate-limit.ts'

export type AttemptLimits = {
  /** Counts an attempt. Returns undefined above the limit. The attempt must then not start. */
  begin(by: AttemptSource): CountedAttempt | undefined
  /** Removes the order's last attempt from the count, because the attempt succeeded. */
  paid(tradeNo: string): void
}

type AttemptSource = {
  readonly address: string
  readonly card?: string | undefined
}

export type CountedAttempt = {
  /** Removes the attempt from the count, because the attempt did not start or was paid at once. */
  takeBack(): void
  /** Keeps the attempt in the count until `paid` is called for the order. */
  keepFor(tradeNo: string): void
}

const HOUR_MS = 3_600_000
export const CARD_ATTEMPTS_PER_HOUR = 10
export const ADDRESS_ATTEMPTS_PER_HOUR = 50
const MAX_UNDER_WAY = 10_000

export function attemptLimits(mode: 'sandbox' | 'live', clock: Clock): AttemptLimits {
  if (mode === 'sandbox') return { begin: () => ({ takeBack: () => {}, keepFor: () => {} }), paid: () => {} }
  const attempts = countEvents(HOUR_MS, clock)
  const underWay = new Map<string, () => void>()
  return {
    begin(by) {
      const limits = limitsFor(by)
      if (limits.some(([key, max]) => attempts.count(key) >= max)) return undefined
      for (const [key] of limits) attempts.add(key)
      const takeBack = () => {
        for (const [key] of limits) attempts.takeBack(key)
      }
      return { takeBack, keepFor: (tradeNo) => keep(underWay, tradeNo, takeBack) }
    },
    paid(tradeNo) {
      underWay.get(tradeNo)?.()
      underWay.delete(tradeNo)
    },
  }
}

function keep(underWay: Map<string, () => void>, tradeNo: string, takeBack: () => void): void {
  const [oldest] = underWay.keys()
  if (oldest !== undefined && underWay.size >= MAX_UNDER_WAY) underWay.delete(oldest)
  underWay.set(tradeNo, takeBack)
}

function limitsFor({ address, card }: AttemptSource): (readonly [key: string, max: number])[] {
  const perAddress = [`address ${networkOf(address)}`, ADDRESS_ATTEMPTS_PER_HOUR] as const
  return card === undefined ? [perAddress] : [perAddress, [`card ${card}`, CARD_ATTEMPTS_PER_HOUR]]
}

export type OrderLimits = {
  mayOrder(address: string): boolean
}

/**
 * The maximum number of orders per network and hour. The limit is high, because all payers in a shop may share the
 * shop's network.
 */
export const ORDERS_PER_HOUR = 200

/**
 * Limits the orders that payers make from payment links. Otherwise one payer could use up a merchant's limits with
 * unpaid orders.
 */
export function orderLimits(mode: 'sandbox' | 'live', clock: Clock): OrderLimits {
  if (mode === 'sandbox') return { mayOrder: () => true }
  const counted = countEvents(HOUR_MS, clock)
  return { mayOrder: (address) => counted.add(`order ${networkOf(address)}`) <= ORDERS_PER_HOUR }
}

export type EntryLimits = {
  /** Counts an account that is submitted for a payout. Returns false if there were too many. */
  mayEnter(tradeNo: string, address: string): boolean
  mayCheck(tradeNo: string): boolean
}

export const ENTRIES_PER_HOUR = 20
export const CHECKS_PER_HOUR = 200

/**
 * Limits how many accounts can be tried on payout pages, so that nobody can find out which accounts and cards exist.
 */
export function entryLimits(mode: 'sandbox' | 'live', clock: Clock): EntryLimits {
  if (mode === 'sandbox') return { mayEnter: () => true, mayCheck: () => true }
  const counted = countEvents(HOUR_MS, clock)
  return {
    mayEnter(tradeNo, address) {
      const forPayout = counted.add(`enter ${tradeNo}`)
      const fromAddress = counted.add(`address ${networkOf(address)}`)
      return forPayout <= ENTRIES_PER_HOUR && fromAddress <= ADDRESS_ATTEMPTS_PER_HOUR
    },
    mayCheck: (tradeNo) => counted.add(`check ${tradeNo}`) <= CHECKS_PER_HOUR,
  }
}

// Limits the requests to one link. Requests are counted per order, because several links may open the same order.
// Requests to payment links are counted per network. A payer who reloads, waits and returns stays far below the limits.

/** `call`: the request may call a channel or write. `read`: the request only reads. */
export type Cost = 'call' | 'read'

export type LinkLimits = {
  /** Counts a request. Above the limit, returns the number of seconds to wait. */
  take(tradeNo: string, cost: Cost): number | undefined
}

const MINUTE_MS = 60_000
export const PER_MINUTE: Readonly<Record<Cost, number>> = { call: 60, read: 300 }

export function linkLimits(mode: 'sandbox' | 'live', clock: Clock): LinkLimits {
  if (mode === 'sandbox') return { take: () => undefined }
  const counted = countEvents(MINUTE_MS, clock)
  return {
    take(tradeNo, cost) {
      const key = `${cost} ${tradeNo}`
      if (counted.add(key) <= PER_MINUTE[cost]) return undefined
      return Math.max(1, Math.ceil(counted.msLeft(key) / 1000))
    },
  }
}
