// Checks the form, check digits and bank of a beneficiary's account, without calling anybody.
import { isValidPixKey } from '@brazilian-utils/brazilian-utils/is-valid-pix-key'
import luhn10 from 'card-validator/dist/luhn-10.js'
import { clabe } from 'clabe-validator'
import { countrySpecs, electronicFormatIBAN, isValidBIC, isValidIBAN } from 'ibantools'
import { Refusal } from '../../errors/catalogue.ts'
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
  return /^\d{12,19}$/.test(account) && luhn10(account)
}

/** A plain account number needs a bank code; an IBAN contains its bank. */
function checkBankAccount(account: string, bankCode: string): Refusal | undefined {
  if (!isIbanLike(account) && bankCode === '') return new Refusal('10002', 'bankCode')
  if (isIbanLike(account) ? !isValidIBAN(electronic(account)) : !/^[A-Za-z0-9 -]{4,34}$/.test(account))
    return invalid('cardNo is neither an IBAN nor an account number')
  return bankCode === '' || isValidBIC(bankCode) ? undefined : noBank()
}

/** It begins as the IBANs of some country do, so it must be one. */
export function isIbanLike(account: string): boolean {
  const [, country = ''] = /^([A-Z]{2})\d{2}/.exec(electronic(account)) ?? []
  return countrySpecs[country]?.chars !== undefined
}

function electronic(account: string): string {
  return electronicFormatIBAN(account) ?? ''
}

const ALTERNATING = [1, 2]

/** 3 digits of entity, 3 of office, 12 of account, and a check digit for each half. */
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
