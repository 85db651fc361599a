// Caches the exchange rates in memory. A pair without a rate of its own gets the product of two rates: from the first
// currency to the US dollar, and from the US dollar to the second. No rate is inverted here: set-rate.ts stores the
// opposite direction as a separate decimal. The cache is reloaded when a change is announced, and every 30 s in case an
// announcement was missed or a future rate took effect.
import { type Clock, systemClock } from '../../platform/base/clock.ts'
import { convertDown, isBookable, type Money, parseRate, type Rate } from '../../platform/base/money.ts'
import { assert } from '../../platform/errors/catalogue.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { openLiveCopy } from '../../platform/postgres/live-copy.ts'
import { selectRates } from './sql.ts'

const REFRESH_MS = 30_000
export const sameCurrency: Rate = { digits: 1n, scale: 0 }

export type Rates = {
  /** Returns the rate: units of `to` for one unit of `from`. Undefined if there is no rate. */
  find(from: string, to: string): Rate | undefined
  /** Returns the value in US cents, rounded down. Undefined if there is no rate. */
  usdValue(money: Money): bigint | undefined
  close(): void
}

export type RatesDeps = {
  readonly db: Db
  readonly clock?: Clock
  readonly log?: { error(details: object, message: string): void }
}

export async function openRates({ db, clock = systemClock, log }: RatesDeps): Promise<Rates> {
  const table = await openLiveCopy({
    db,
    channel: 'rates',
    everyMs: REFRESH_MS,
    read: () => readTable(db, clock.now()),
    failed: (err) => log?.error({ err }, 'reading the exchange rates failed; the old rates stay in use'),
  })

  const find = (from: string, to: string) => findRate(table.current(), from, to)
  return {
    find,
    usdValue: (money) => dollarValue(money, find(money.currency, 'USD')),
    close: table.close,
  }
}

/** Returns the value in US cents, rounded down. */
export function dollarValue(money: Money, rate: Rate | undefined): bigint | undefined {
  return rate === undefined ? undefined : convertDown(money, 'USD', rate).amount
}

function findRate(table: ReadonlyMap<string, Rate>, from: string, to: string): Rate | undefined {
  if (from === to) return sameCurrency
  const direct = table.get(`${from}:${to}`)
  if (direct !== undefined) return direct
  const toDollar = table.get(`${from}:USD`)
  const fromDollar = table.get(`USD:${to}`)
  if (toDollar === undefined || fromDollar === undefined) return undefined
  return { digits: toDollar.digits * fromDollar.digits, scale: toDollar.scale + fromDollar.scale }
}

async function readTable(db: Db, now: Date): Promise<Map<string, Rate>> {
  const table = new Map<string, Rate>()
  for (const row of await selectRates(db, now)) {
    table.set(`${row.from_currency}:${row.to_currency}`, readRate(row.rate))
  }
  return table
}

export function readRate(stored: string): Rate {
  const rate = parseRate(stored)
  assert(rate !== undefined, 'a stored rate is a decimal above zero')
  return rate
}

/** True if the amount, converted at the rate if there is one, is small enough to be booked. */
export function fitsBooks(money: Money, settleCurrency: string, rate: Rate | undefined): boolean {
  return isBookable(rate === undefined ? money.amount : convertDown(money, settleCurrency, rate).amount)
}
