// The model's own arithmetic, written independently from the rules, so that it does not repeat mistakes of the gateway.
import type { Rate } from '../../src/base/money.ts'
import type { FeePlan } from '../../src/merchants/merchant.ts'

const decimals: Readonly<Record<string, number>> = { USD: 2, EUR: 2, JPY: 0, KWD: 3, VND: 0 }

function unitOf(currency: string): bigint {
  const places = decimals[currency]
  if (places === undefined) throw new Error(`the model knows no ${currency}`)
  return 10n ** BigInt(places)
}

/** A percentage, rounded half up. */
export function share(amount: bigint, bps: number): bigint {
  return (amount * BigInt(bps) + 5_000n) / 10_000n
}

/** A fee with two decimals in the currency's minor unit, rounded half up. */
export function fixedFee(text: string, currency: string): bigint {
  const hundredths = BigInt(text.replace('.', ''))
  return (hundredths * unitOf(currency) + 50n) / 100n
}

export function feesOf(amount: bigint, currency: string, { feeBps, feeFixed }: FeePlan): bigint {
  return share(amount, feeBps) + fixedFee(feeFixed, currency)
}

/** Rounds down, so that no merchant gains by it; without a rate both currencies are the same. */
export function convert(amount: bigint, from: string, to: string, rate: Rate | undefined): bigint {
  if (rate === undefined) return amount
  const [worth, unit] = [amount * rate.digits * unitOf(to), unitOf(from) * 10n ** BigInt(rate.scale)]
  const rest = ((worth % unit) + unit) % unit
  return (worth - rest) / unit
}

/** The value of one unit in US dollars, and of a dollar in euros; they change over time. */
export function ratesAt(step: number) {
  const wave = BigInt((step * 7919) % 997)
  const toDollar: Readonly<Record<string, Rate>> = {
    USD: { digits: 1n, scale: 0 },
    EUR: { digits: 1_083_417n + wave, scale: 6 },
    JPY: { digits: 6_674_123n + wave * 10n, scale: 9 },
    KWD: { digits: 3_253_118n - wave, scale: 6 },
    VND: { digits: 39_312_777n - wave * 100n, scale: 12 },
  }
  const dollarToEuro: Rate = { digits: 9_217_731n - wave, scale: 7 }
  const find = (from: string, to: string): Rate | undefined => {
    const dollars = toDollar[from]
    if (from === to) return toDollar.USD
    if (dollars === undefined || to === 'USD') return dollars
    if (to !== 'EUR') return undefined
    return { digits: dollars.digits * dollarToEuro.digits, scale: dollars.scale + dollarToEuro.scale }
  }
  const usdValue = ({ amount, currency }: { amount: bigint; currency: string }) =>
    convert(amount, currency, 'USD', find(currency, 'USD'))
  return { find, usdValue, close: () => {} }
}
