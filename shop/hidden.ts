/** The fields with the card number masked and without the card's security code. */
export function hidden(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { cardNo, cardSecurityCode } = fields
  return {
    ...fields,
    ...(typeof cardNo === 'string' && { cardNo: maskedCard(cardNo) }),
    ...(cardSecurityCode !== undefined && { cardSecurityCode: '•••' }),
  }
}

/** Shows the first six and the last four digits. Of a number with at most 12 digits, only the last four are shown. */
function maskedCard(digits: string): string {
  const [first, last] = [digits.length > 12 ? digits.slice(0, 6) : '', digits.slice(-4)]
  return `${first}${'•'.repeat(Math.max(digits.length - first.length - last.length, 0))}${last}`
}
