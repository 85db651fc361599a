// CLABE, the Mexican account number: 3 digits bank, 3 town, 11 account, 1 check digit. At STP each order gets a CLABE
// of its own: the company's prefix, the order's number and the check digit.

const WEIGHTS = [3, 7, 1]

export function isClabe(account: string): boolean {
  if (!/^\d{18}$/.test(account)) return false
  return account.slice(17) === checkDigit(account.slice(0, 17))
}

function checkDigit(digits: string): string {
  let sum = 0
  for (const [at, digit] of [...digits].entries()) sum += (Number(digit) * (WEIGHTS[at % 3] ?? 0)) % 10
  return String((10 - (sum % 10)) % 10)
}

const LENGTH = 17
/** The first account number of an order: the company's own account usually has the number zero. */
const FIRST = 1

/**
 * True for 646180, STP's bank and town codes, with 1 to 7 further digits. A shorter prefix would include accounts of
 * other companies, and a longer prefix would leave too few numbers.
 */
export function isClabePrefix(text: string): boolean {
  return /^646180\d{1,7}$/.test(text)
}

/** Returns the CLABE of the order with this number; undefined if the prefix leaves too few digits for the number. */
export function clabeOf(prefix: string, number: number): string | undefined {
  const digits = LENGTH - prefix.length
  const account = prefix + String(number + FIRST).padStart(digits, '0')
  return account.length === LENGTH ? account + checkDigit(account) : undefined
}

/** Returns the number of the order with this CLABE; undefined if the CLABE is invalid or has another prefix. */
export function numberIn(clabe: string, prefix: string): number | undefined {
  return isClabe(clabe) && clabe.startsWith(prefix)
    ? Number(clabe.slice(prefix.length, LENGTH)) - FIRST
    : undefined
}
