import * as iso from 'dinero.js/currencies'

// dinero.js counts ariary and ouguiya in fifths. ISO 4217 and the rails write them with two decimals.
const DECIMALS_OF_FIFTHS = 2

// Minor units come from the ISO 4217 table, never from Intl, which gives some currencies no decimals.
const fiat: ReadonlyMap<string, number> = new Map(
  Object.values(iso).map(({ code, base, exponent }) => [code, base === 10 ? exponent : DECIMALS_OF_FIFTHS]),
)

const coins: ReadonlyMap<string, number> = new Map([
  ['USDT', 6],
  ['USDC', 6],
  // Gwei: ten ether in wei would not fit a 64-bit ledger amount. The crypto channel converts to the chain's own units.
  ['ETH', 9],
])

export function isFiat(code: string): boolean {
  return fiat.has(code)
}

export function isCurrency(code: string): boolean {
  return fiat.has(code) || coins.has(code)
}

/** Decimals of the currency's minor unit. */
export function decimalsOf(code: string): number {
  const decimals = fiat.get(code) ?? coins.get(code)
  if (decimals === undefined) throw new Error(`not a currency: ${code}`)
  return decimals
}

export function allFiat(): readonly string[] {
  return [...fiat.keys()]
}

/** Decimals of every currency, for SQL statements that convert. */
export function decimalsByCurrency(): Readonly<Record<string, number>> {
  return Object.fromEntries([...fiat, ...coins])
}

/** Fiat first. */
export function allCurrencies(): readonly string[] {
  return [...fiat.keys(), ...coins.keys()]
}
