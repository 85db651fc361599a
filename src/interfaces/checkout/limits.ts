// Limits attempts on our pages per card and per address. A payer who mistypes never reaches these limits; someone who tests
// stolen cards does. An attempt counts as failed from its start until it is known to be paid, so that parallel attempts and
// attempts abandoned at the bank's challenge count too. Off in sandbox, like all rate limits.
import type { Clock } from '../base/clock.ts'
import { networkOf } from '../http/addresses.ts'
import { countEvents } from '../http/server/rate-limit.ts'

export type AttemptLimits = {
  /** Counts an attempt; undefined if there were too many. */
  begin(by: AttemptSource): CountedAttempt | undefined
  /** The order's last attempt succeeded: it no longer counts. */
  paid(tradeNo: string): void
}

export type AttemptSource = {
  readonly address: string
  /** The card's fingerprint. */
  readonly card?: string | undefined
}

export type CountedAttempt = {
  /** The attempt did not start, or was paid immediately. */
  takeBack(): void
  /** The attempt is under way: `paid` may follow later. */
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
  /** Counts one more order that a payment link makes; false if there were too many. */
  mayOrder(address: string): boolean
}

/** Shops let their customers use one network. */
export const ORDERS_PER_HOUR = 200

/** Nobody may fill a merchant's limits with orders that nobody pays. */
export function orderLimits(mode: 'sandbox' | 'live', clock: Clock): OrderLimits {
  if (mode === 'sandbox') return { mayOrder: () => true }
  const counted = countEvents(HOUR_MS, clock)
  return { mayOrder: (address) => counted.add(`order ${networkOf(address)}`) <= ORDERS_PER_HOUR }
}

export type EntryLimits = {
  /** Counts one more account submitted for a payout. */
  mayEnter(tradeNo: string, address: string): boolean
  /** Counts one more check of an account while it is typed. */
  mayCheck(tradeNo: string): boolean
}

export const ENTRIES_PER_HOUR = 20
export const CHECKS_PER_HOUR = 200

/** Nobody may use a payout page to find out, guess by guess, which accounts and cards exist. */
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
