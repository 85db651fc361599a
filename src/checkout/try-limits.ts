// How often a card may be tried on our pages, and how often from one address. A payer who mistypes never meets these bounds;
// whoever tries stolen cards one after the other does. A try counts as failed from its beginning until it is known to be
// paid: many begun at once are counted, and those left at the bank's question too. Off in sandbox, as all rate limits.
import type { Clock } from '../base/clock.ts'
import { networkOf } from '../http/network-of.ts'
import { countEvents } from '../http/server/rate-limit.ts'

export type TryLimits = {
  /** Undefined when there were too many. */
  begin(by: TriedBy): Try | undefined
  /** The last try for the order did not fail after all. */
  paid(tradeNo: string): void
}

export type TriedBy = {
  readonly address: string
  /** Its fingerprint. */
  readonly card?: string | undefined
}

export type Try = {
  /** It never came to anything, or was paid at once. */
  takeBack(): void
  /** It is under way: `paid` may tell of it later. */
  keepFor(tradeNo: string): void
}

const HOUR_MS = 3_600_000
export const CARD_TRIES_PER_HOUR = 10
export const ADDRESS_TRIES_PER_HOUR = 50
const MAX_UNDER_WAY = 10_000

export function tryLimits(mode: 'sandbox' | 'live', clock: Clock): TryLimits {
  if (mode === 'sandbox') return { begin: () => ({ takeBack: () => {}, keepFor: () => {} }), paid: () => {} }
  const tries = countEvents(HOUR_MS, clock)
  const underWay = new Map<string, () => void>()
  return {
    begin(by) {
      const bounds = boundsOf(by)
      if (bounds.some(([key, most]) => tries.count(key) >= most)) return undefined
      for (const [key] of bounds) tries.add(key)
      const takeBack = () => {
        for (const [key] of bounds) tries.takeBack(key)
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

function boundsOf({ address, card }: TriedBy): (readonly [key: string, most: number])[] {
  const fromThere = [`address ${networkOf(address)}`, ADDRESS_TRIES_PER_HOUR] as const
  return card === undefined ? [fromThere] : [fromThere, [`card ${card}`, CARD_TRIES_PER_HOUR]]
}

export type EntryLimits = {
  /** Counts one more account given for a payout. */
  mayEnter(tradeNo: string, address: string): boolean
  /** Counts one more look at an account while it is being typed. */
  mayCheck(tradeNo: string): boolean
}

export const ENTRIES_PER_HOUR = 20
export const CHECKS_PER_HOUR = 200

/** A payout's page must not tell a stranger, one guess after the other, which accounts and cards there are. */
export function entryLimits(mode: 'sandbox' | 'live', clock: Clock): EntryLimits {
  if (mode === 'sandbox') return { mayEnter: () => true, mayCheck: () => true }
  const counted = countEvents(HOUR_MS, clock)
  return {
    mayEnter(tradeNo, address) {
      const ofPayout = counted.add(`enter ${tradeNo}`)
      const fromThere = counted.add(`address ${networkOf(address)}`)
      return ofPayout <= ENTRIES_PER_HOUR && fromThere <= ADDRESS_TRIES_PER_HOUR
    },
    mayCheck: (tradeNo) => counted.add(`check ${tradeNo}`) <= CHECKS_PER_HOUR,
  }
}
