// The shop's price list. Prices are in US dollars. Each way to pay charges in a currency that the way accepts.
import { convertUp, formatAmount, type Money, parseRate } from '../src/platform/base/money.ts'
import { money } from '../src/platform/pages/amount.ts'
import type { Line } from './cart.ts'

/** The amount that the shop charges for one dollar, by currency. */
const perDollar = {
  USD: '1',
  EUR: '0.9',
  GBP: '0.8',
  CNY: '7.2',
  HKD: '7.8',
  BRL: '5.4',
  MXN: '18.5',
  PEN: '3.7',
  PHP: '58',
  VND: '25000',
} as const

export type Currency = keyof typeof perDollar

export const currencies = Object.keys(perDollar).filter(isCurrency)

export function isCurrency(code: string): code is Currency {
  return Object.hasOwn(perDollar, code)
}

/** The price of one piece. */
export function priceOf({ product }: Line, currency: Currency): Money {
  const rate = parseRate(perDollar[currency])
  if (rate === undefined) throw new Error(`${currency} has no rate`)
  return convertUp({ amount: product.cents, currency: 'USD' }, currency, rate)
}

export function totalOf(lines: readonly Line[], currency: Currency): Money {
  const amounts = lines.map((line) => priceOf(line, currency).amount * BigInt(line.quantity))
  return { amount: amounts.reduce((sum, amount) => sum + amount, 0n), currency }
}

/** The amount for the gateway: a text with two decimals. */
export function wireAmount({ amount, currency }: Money): string {
  return formatAmount(amount, currency)
}

/** The price for people. */
export function shown(price: Money): string {
  return money(wireAmount(price), price.currency)
}
