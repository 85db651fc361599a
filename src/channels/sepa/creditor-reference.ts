// The creditor reference of ISO 11649: RF, two check digits, up to 21 letters and digits. Banks detect typing errors in it.

export function isCreditorReference(text: string): boolean {
  return /^RF\d{2}[A-Z0-9]{1,21}$/.test(text) && mod97(text.slice(4) + text.slice(0, 4)) === 1
}

/** `body`: 1 to 21 capital letters and digits. */
export function creditorReference(body: string): string {
  const check = 98 - mod97(`${body}RF00`)
  return `RF${String(check).padStart(2, '0')}${body}`
}

/** Letters count as two digits, from A = 10. */
function mod97(text: string): number {
  let rest = 0
  for (const character of text) {
    const value = Number.parseInt(character, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest
}
