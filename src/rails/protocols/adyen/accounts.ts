// How Adyen names a beneficiary's account.
import { isBic, isIban, normaliseIban } from '../../base/iban.ts'
import type { Fields } from '../../base/object.ts'
import { bankNumbers } from './brazil-banks.ts'

export type Account = {
  readonly identification: Fields
  readonly isIban: boolean
  readonly priority: Priority
}

export type Priority = 'regular' | 'crossBorder'

/** Undefined when Adyen cannot pay to it. */
export function accountOf(account: string, { bankCode }: Fields, currency: string): Account | undefined {
  const iban = normaliseIban(account)
  if (isIban(iban)) return currency === 'BRL' ? brazilian(iban) : byIban(iban, currency)
  if (typeof bankCode !== 'string' || !isBic(bankCode)) return undefined
  const accountNumber = account.replace(/[ -]/g, '')
  const identification = { type: 'numberAndBic', accountNumber, bic: bankCode }
  return { identification, isIban: false, priority: 'crossBorder' }
}

function byIban(iban: string, currency: string): Account {
  const priority = currency === 'EUR' ? 'regular' : 'crossBorder'
  return { identification: { type: 'iban', iban }, isIban: true, priority }
}

/** Banks in Brazil do not know IBANs. One consists of bank, branch, account with check digit, type and owner. */
function brazilian(iban: string): Account | undefined {
  const [, ispb = '', branch = '', accountNumber] =
    /^BR\d\d(\d{8})(\d{5})(\d{10})[A-Z][A-Z0-9]$/.exec(iban) ?? []
  const bankCode = bankNumbers.get(ispb)
  // A branch has four digits; an IBAN has room for five.
  if (bankCode === undefined || accountNumber === undefined || !branch.startsWith('0')) return undefined
  const identification = { type: 'brLocal', bankCode, branchNumber: branch.slice(1), accountNumber, ispb }
  return { identification, isIban: false, priority: 'regular' }
}
