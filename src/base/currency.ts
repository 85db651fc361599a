import * as iso from 'dinero.js/currencies'

// dinero.js counts ariary and ouguiya in fifths, as their coins do. ISO 4217 and the rails write them with two decimals.
const FIFTHS = 2

// Minor units come from the ISO 4217 table, never from Intl, which gives some currencies none.
const fiat: ReadonlyMap<string, number> = new Map(
  Object.values(iso).map(({ code, base, exponent }) => [code, base === 10 ? exponent : FIFTHS]),
)

const coins: ReadonlyMap<string, number> = new Map([
  ['USDT', 6],
  ['USDC', 6],
  // Gwei. In wei, ten ether would not fit the 64 bits of a booking; the chain's own units are the crypto channel's affair.
  ['ETH', 9],
])

export function isFiat(code: string): boolean {
  return fiat.has(code)
}

export function isCurrency(code: string): boolean {
  return fiat.has(code) || coins.has(code)
}

/** How many decimals the currency's minor unit has. */
export function decimalsOf(code: string): number {
  const decimals = fiat.get(code) ?? coins.get(code)
  if (decimals === undefined) throw new Error(`not a currency: ${code}`)
  return decimals
}

export function allFiat(): readonly string[] {
  return [...fiat.keys()]
}

/** All of them, for statements that convert. */
export function decimalsByCurrency(): Readonly<Record<string, number>> {
  return Object.fromEntries([...fiat, ...coins])
}
