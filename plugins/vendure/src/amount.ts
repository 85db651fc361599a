// Vendure counts hundredths in every currency, yen included, and the gateway writes two decimals in every currency.

/** `2469` is `24.69`. */
export function amountText(hundredths: number): string {
  if (!Number.isSafeInteger(hundredths) || hundredths <= 0)
    throw new Error(`${hundredths} is not an amount that can be paid`)
  const digits = String(hundredths).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** True if the amount is positive and the currency has coins small enough for it. */
export function isPayable(hundredths: number, currency: string): boolean {
  return hundredths > 0 && (hundredths % 100 === 0 || decimalsOf(currency) > 0)
}

function decimalsOf(currency: string): number {
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions()
  return maximumFractionDigits
}
