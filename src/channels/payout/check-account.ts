// Checks the form, check digits and bank of a beneficiary's account, without a network call.
import { isValidPixKey } from '@brazilian-utils/brazilian-utils/is-valid-pix-key'
import { clabe } from 'clabe-validator'
import { hasValidCheckDigit } from '../../base/card-number.ts'
import { isBic, isIban, isIbanLike, normaliseIban } from '../../base/iban.ts'
import { Refusal } from '../../errors/catalogue.ts'
import { isCci } from '../per-transfer/cci.ts'
import { perBanks, speiBanks } from './banks.ts'
import type { AccountKind } from './contract.ts'

export type GivenAccount = {
  readonly kind: AccountKind
  readonly account: string
  /** '' when none was given. */
  readonly bankCode: string
}

/** Undefined when the account is valid. */
export function checkAccount({ kind, account, bankCode }: GivenAccount): Refusal | undefined {
  return checks[kind](account, bankCode)
}

const checks: Readonly<Record<AccountKind, (account: string, bankCode: string) => Refusal | undefined>> = {
  card: (account) => (isCardNumber(account) ? undefined : invalid('cardNo is not a card number')),
  bank_account: checkBankAccount,
  pix: (account) => (isValidPixKey(account) ? undefined : invalid('cardNo is not a Pix key')),
  per_transfer(account, bankCode) {
    if (!isCci(account)) return invalid('cardNo is not a CCI')
    return bankCode === '' || perBanks.has(bankCode) ? undefined : noBank()
  },
  spei: checkSpei,
}

function isCardNumber(account: string): boolean {
  return /^\d{12,19}$/.test(account) && hasValidCheckDigit(account)
}

/** A plain account number needs a bank code; an IBAN contains its bank. */
function checkBankAccount(account: string, bankCode: string): Refusal | undefined {
  if (!isIbanLike(account) && bankCode === '') return new Refusal('10002', 'bankCode')
  if (isIbanLike(account) ? !isIban(normaliseIban(account)) : !/^[A-Za-z0-9 -]{4,34}$/.test(account))
    return invalid('cardNo is neither an IBAN nor an account number')
  return bankCode === '' || isBic(bankCode) ? undefined : noBank()
}

/** Ignores the CLABE's town code, because the published lists are out of date. */
function checkSpei(account: string, bankCode: string): Refusal | undefined {
  const { valid } = clabe.validate(account)
  if (!valid.format) return invalid('cardNo is not a CLABE')
  if (!valid.bank && !speiPrefixes.has(account.slice(0, 3))) return noBank()
  if (bankCode === '') return undefined
  if (!speiBanks.has(bankCode)) return noBank()
  return bankCode.slice(-3) === account.slice(0, 3)
    ? undefined
    : invalid('the CLABE belongs to another bank than bankCode')
}

const speiPrefixes: ReadonlySet<string> = new Set([...speiBanks.keys()].map((code) => code.slice(-3)))

function invalid(why: string): Refusal {
  return new Refusal('10105', why)
}

function noBank(): Refusal {
  return new Refusal('10013', 'bankCode')
}
