// CLABE, the Mexican account number: 3 digits bank, 3 town, 11 account, 1 check digit.

const WEIGHTS = [3, 7, 1]

export function isClabe(account: string): boolean {
  if (!/^\d{18}$/.test(account)) return false
  return account.slice(17) === checkDigit(account.slice(0, 17))
}

export function checkDigit(digits: string): string {
  let sum = 0
  for (const [at, digit] of [...digits].entries()) sum += (Number(digit) * (WEIGHTS[at % 3] ?? 0)) % 10
  return String((10 - (sum % 10)) % 10)
}
