/** The same fields without what nobody may read on a screen: most digits of a card, and its code. */
export function hidden(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { cardNo, cardSecurityCode } = fields
  return {
    ...fields,
    ...(typeof cardNo === 'string' && { cardNo: maskedCard(cardNo) }),
    ...(cardSecurityCode !== undefined && { cardSecurityCode: '•••' }),
  }
}

/** The first six and the last four digits may be shown; of a short number only the last four. */
function maskedCard(digits: string): string {
  const [first, last] = [digits.length > 12 ? digits.slice(0, 6) : '', digits.slice(-4)]
  return `${first}${'•'.repeat(Math.max(digits.length - first.length - last.length, 0))}${last}`
}
