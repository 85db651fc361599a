// Made-up, constant coin prices for the sandbox.
import { decimalsOf } from '../../src/platform/base/currency.ts'
import { formatRate, parseRate, type Rate } from '../../src/platform/base/money.ts'

const dollarsForOneCoin: Readonly<Record<string, bigint>> = { USDT: 1n, USDC: 1n, ETH: 3200n }

const unitsForOneDollar: Readonly<Record<string, string>> = {
  USD: '1',
  AED: '3.6725',
  ARS: '1385',
  AUD: '1.53',
  BRL: '5.35',
  CAD: '1.4',
  CHF: '0.8',
  CLP: '930',
  CNY: '7.1',
  COP: '3800',
  EUR: '0.86',
  GBP: '0.76',
  HKD: '7.78',
  IDR: '16700',
  INR: '88.7',
  JPY: '154',
  KRW: '1460',
  KWD: '0.307',
  MXN: '18.4',
  MYR: '4.14',
  NZD: '1.77',
  PEN: '3.37',
  PHP: '58.9',
  PLN: '3.65',
  SAR: '3.75',
  SEK: '9.45',
  SGD: '1.3',
  THB: '32.4',
  TRY: '42.3',
  TWD: '31.1',
  VND: '26300',
  ZAR: '17.1',
}

/** The price of one coin in the currency, or undefined if the coin has no price. */
export function priceOf(coin: string, currency: string): string | undefined {
  const dollars = dollarsForOneCoin[coin]
  const rate = parseRate(unitsForOneDollar[currency] ?? '')
  if (dollars === undefined || rate === undefined) return undefined
  return formatRate({ digits: rate.digits * dollars, scale: rate.scale })
}

const shownDecimals: Readonly<Record<string, number>> = { USDT: 6, USDC: 6, ETH: 8 }
const chainDecimals: Readonly<Record<string, number>> = { USDT: 6, USDC: 6, ETH: 18 }

/** The amount in the coin's smallest unit, rounded up to the decimals that wallets show. */
export function unitsFor(amount: bigint, currency: string, coin: string, price: Rate): bigint {
  const decimals = chainDecimals[coin] ?? 0
  const step = 10n ** BigInt(decimals - (shownDecimals[coin] ?? 0))
  const numerator = amount * 10n ** BigInt(decimals + price.scale)
  const denominator = price.digits * 10n ** BigInt(decimalsOf(currency)) * step
  return ((numerator + denominator - 1n) / denominator) * step
}
