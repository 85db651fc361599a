// Amounts are whole numbers of a currency's smallest unit. The name of each function that rounds states the direction.

/** Units of one currency for one unit of another: `digits` divided by ten to the power of `scale`. */
export type Rate = { readonly digits: bigint; readonly scale: number }

/** The decimals of each currency, as ISO 4217 lists them. */
const decimals: Readonly<Record<string, number>> = {
  ...{ BRL: 2, EUR: 2, JPY: 0, KWD: 3, USD: 2, VND: 0 },
  ...{ MXN: 2, PEN: 2, PHP: 2 },
}

export const everyCurrency: readonly string[] = Object.keys(decimals)

/** The currencies that most operations use. The list is short, so that operations often change the same balance. */
export const currencies: readonly string[] = ['BRL', 'EUR', 'JPY', 'KWD', 'USD', 'VND']

/** Returns the number of smallest units in one whole unit. */
export function unitOf(currency: string): bigint {
  const places = decimals[currency]
  if (places === undefined) throw new Error(`the model has no currency ${currency}`)
  return 10n ** BigInt(places)
}

/** Returns a share in basis points of the amount. Half a smallest unit is rounded up. */
export function shareHalfUp(amount: bigint, bps: number): bigint {
  return divideDown(amount * BigInt(bps) * 2n + 10_000n, 20_000n)
}

/** Converts a decimal fee, such as '0.35', to smallest units. Half a smallest unit is rounded up. */
export function feeHalfUp(text: string, currency: string): bigint {
  const [whole = '0', cents = ''] = text.split('.')
  const hundredths = BigInt(whole) * 100n + BigInt(cents.padEnd(2, '0'))
  return divideDown(hundredths * unitOf(currency) * 2n + 100n, 200n)
}

/** True if a request can state the amount exactly with two decimals. */
export function isWireAmount(amount: bigint, currency: string): boolean {
  return (amount * 100n) % unitOf(currency) === 0n
}

/** Converts a credit. Rounds down, and so a negative amount away from zero: the merchant never gains by rounding. */
export function convertDown(amount: bigint, from: string, to: string, rate: Rate | undefined): bigint {
  if (rate === undefined) return amount
  return divideDown(amount * rate.digits * unitOf(to), unitOf(from) * 10n ** BigInt(rate.scale))
}

/** Converts a debit. Rounds up: the merchant never gains by rounding. */
export function convertUp(amount: bigint, from: string, to: string, rate: Rate | undefined): bigint {
  return -convertDown(-amount, from, to, rate)
}

/** Divides and rounds towards minus infinity. */
export function divideDown(amount: bigint, by: bigint): bigint {
  const quotient = amount / by
  return amount % by < 0n ? quotient - 1n : quotient
}

export function sumOf(amounts: Iterable<bigint>): bigint {
  let total = 0n
  for (const amount of amounts) total += amount
  return total
}

export const least = (one: bigint, other: bigint) => (one < other ? one : other)
export const most = (one: bigint, other: bigint) => (one > other ? one : other)
