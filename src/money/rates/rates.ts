// Exchange rates, cached in memory. A pair uses its own rate, or else converts through the US dollar. Nothing is inverted
// here: set-rate.ts stores the opposite direction as a separate decimal. The cache reloads when a change is announced,
// and every 30 s for missed announcements and for rates that take effect later.
import { type Clock, systemClock } from '../base/clock.ts'
import { convertDown, isBookable, type Money, parseRate, type Rate } from '../base/money.ts'
import { assert } from '../errors/catalogue.ts'
import type { Db } from '../postgres/db.ts'
import { openLiveCopy } from '../postgres/live-copy.ts'
import { selectRates } from './sql.ts'

const REFRESH_MS = 30_000
const one: Rate = { digits: 1n, scale: 0 }

export type Rates = {
  /** Units of `to` for one unit of `from`; undefined when there is no rate. */
  find(from: string, to: string): Rate | undefined
  /** In US cents, rounded down; undefined when there is no rate. */
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
    usdValue(money) {
      const rate = find(money.currency, 'USD')
      return rate === undefined ? undefined : convertDown(money, 'USD', rate).amount
    },
    close: table.close,
  }
}

function findRate(table: ReadonlyMap<string, Rate>, from: string, to: string): Rate | undefined {
  if (from === to) return one
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
    const rate = parseRate(row.rate)
    assert(rate !== undefined, 'a stored rate is a decimal above zero')
    table.set(`${row.from_currency}:${row.to_currency}`, rate)
  }
  return table
}

/** Whether it can be booked, converted where there is a rate. */
export function fitsBooks(money: Money, settleCurrency: string, rate: Rate | undefined): boolean {
  return isBookable(rate === undefined ? money.amount : convertDown(money, settleCurrency, rate).amount)
}
