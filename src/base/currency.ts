import * as iso from 'dinero.js/currencies'

// Minor units come from the ISO 4217 table, never from Intl, which gives some currencies none.
const fiat: ReadonlyMap<string, number> = new Map(
  Object.values(iso).map((currency) => [currency.code, currency.exponent]),
)

const coins: ReadonlyMap<string, number> = new Map([
  ['USDT', 6],
  ['USDC', 6],
  ['ETH', 18],
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
