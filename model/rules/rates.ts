// Each pair of currencies may have a rate. A pair without a rate is converted through the US dollar, with two rates.
import { convertDown, type Rate } from './money.ts'

export type RateTable = Map<string, Rate>

const same: Rate = { digits: 1n, scale: 0 }

export function findRate(table: RateTable, from: string, to: string): Rate | undefined {
  if (from === to) return same
  const own = table.get(`${from} ${to}`)
  if (own !== undefined) return own
  const [toDollar, fromDollar] = [table.get(`${from} USD`), table.get(`USD ${to}`)]
  if (toDollar === undefined || fromDollar === undefined) return undefined
  return { digits: toDollar.digits * fromDollar.digits, scale: toDollar.scale + fromDollar.scale }
}

/** The value in US cents, rounded down. */
export function dollarValue(table: RateTable, amount: bigint, currency: string): bigint | undefined {
  const rate = findRate(table, currency, 'USD')
  return rate && convertDown(amount, currency, 'USD', rate)
}

/** Reads a decimal such as 0.92. */
export function readRate(text: string): Rate {
  const [whole = '', fraction = ''] = text.split('.')
  return { digits: BigInt(`${whole}${fraction}`), scale: fraction.length }
}
