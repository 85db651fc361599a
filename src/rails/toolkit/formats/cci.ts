// CCI, the Peruvian account number: 3 digits bank, 3 branch, 12 account, a check digit for bank and branch, and a check
// digit for the account.

const ALTERNATING = [1, 2]

// The bank's digits are not compared with a list of banks: the published lists of Peru's banks contradict each other,
// so a list would refuse existing accounts.
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
