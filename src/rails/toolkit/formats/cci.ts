// CCI, the Peruvian account number: 3 digits bank, 3 branch, 12 account, and a check digit for each half.

const ALTERNATING = [1, 2]

export function isCci(account: string): boolean {
  if (!/^\d{20}$/.test(account)) return false
  return account.slice(18) === checkDigit(account.slice(0, 6)) + checkDigit(account.slice(6, 18))
}

function checkDigit(digits: string): string {
  let sum = 0
  for (const [at, digit] of [...digits].entries()) {
    const product = Number(digit) * (ALTERNATING[at % 2] ?? 1)
    sum += Math.floor(product / 10) + (product % 10)
  }
  return String((10 - (sum % 10)) % 10)
}
