// Arithmetic with amounts as merchants and payers write them.
import { type Random, wireAmount } from '../../test/harness/random.ts'

export function hasDecimals(currency: string): boolean {
  return currency !== 'JPY' && currency !== 'VND'
}

/** Returns `amount * times / by`, rounded down, with the same number of decimals. */
export function partOf(amount: string, times: bigint, by: bigint): string {
  const [, decimals = ''] = amount.split('.')
  return withDecimals((BigInt(amount.replace('.', '')) * times) / by, decimals.length)
}

/** Like `partOf`, for amounts of the API, which end in `.00` in currencies without decimals. */
export function wirePart(amount: string, currency: string, times: bigint, by: bigint): string {
  if (hasDecimals(currency)) return partOf(amount, times, by)
  return `${(BigInt(amount.split('.')[0] ?? '0') * times) / by}.00`
}

export function minus(amount: string, other: string): string {
  const cents = (text: string) => BigInt(text.replace('.', ''))
  return withDecimals(cents(amount) - cents(other), 2)
}

export function isPositive(amount: string): boolean {
  return /[1-9]/.test(amount) && !amount.startsWith('-')
}

function withDecimals(units: bigint, decimals: number): string {
  if (decimals === 0) return units.toString()
  if (units < 0n) return `-${withDecimals(-units, decimals)}`
  const digits = units.toString().padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/**
 * For the first amount, a sandbox bank opens the payment without a response. The second gets no payment and no
 * response. The third is refused.
 */
const troubles = ['1.19', '69.75', '0.02']

export function bankAmount(random: Random, currency: string): string {
  if (!random.chance(0.06)) return wireAmount(random, currency)
  const trouble = random.pick(troubles) ?? '1.19'
  return hasDecimals(currency) ? trouble : `${Number(trouble.replace('.', ''))}.00`
}

/** A refund or payout of exactly this amount fails in the sandbox. */
export const FAILS = '6.66'
