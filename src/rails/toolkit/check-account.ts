// Checks the form, check digits and bank of a beneficiary's account, without a network call.
import { isValidPixKey } from '@brazilian-utils/brazilian-utils/is-valid-pix-key'
import { clabe } from 'clabe-validator'
import { hasValidCheckDigit } from '../../platform/base/card-number.ts'
import { isBic, isIban, isIbanLike, normaliseIban } from '../../platform/base/iban.ts'
import { Refusal } from '../../platform/errors/catalogue.ts'
import type { Reference } from '../../platform/reference/reference.ts'
import type { AccountKind } from '../contract/payout-rail.ts'
import { isCci } from './formats/cci.ts'
import { isChecksummed } from './formats/chain-address.ts'

export type GivenAccount = {
  readonly kind: AccountKind
  readonly account: string
  /** The bank code, or '' if none was given. */
  readonly bankCode: string
}

export type Banks = Pick<Reference, 'has' | 'items'>

export function checkAccount(banks: Banks, { kind, account, bankCode }: GivenAccount): Refusal | undefined {
  return checks[kind](account, bankCode, banks)
}

type Check = (account: string, bankCode: string, banks: Banks) => Refusal | undefined

const checks: Readonly<Record<AccountKind, Check>> = {
  card: (account) => (isCardNumber(account) ? undefined : invalid('cardNo is not a card number')),
  bank_account: checkBankAccount,
  pix: (account) => (isValidPixKey(account) ? undefined : invalid('cardNo is not a Pix key')),
  per_transfer(account, bankCode, banks) {
    if (!isCci(account)) return invalid('cardNo is not a CCI')
    return bankCode === '' || banks.has('banks/per', bankCode) ? undefined : noBank()
  },
  spei: checkSpei,
  coin: (account) =>
    isChecksummed(account) && account !== NOBODY
      ? undefined
      : invalid('cardNo is not an address with its EIP-55 checksum'),
}

/**
 * The zero address. Coins that are sent to it are lost. Its checksum is always right, because the address has no
 * letters.
 */
const NOBODY = `0x${'0'.repeat(40)}`

function isCardNumber(account: string): boolean {
  return /^\d{12,19}$/.test(account) && hasValidCheckDigit(account)
}

/**
 * Checks an IBAN or a plain account number. A plain account number needs a bank code, because only an IBAN contains its
 * bank.
 */
function checkBankAccount(account: string, bankCode: string): Refusal | undefined {
  if (!isIbanLike(account) && bankCode === '') return new Refusal('10002', 'bankCode')
  if (isIbanLike(account) ? !isIban(normaliseIban(account)) : !/^[A-Za-z0-9 -]{4,34}$/.test(account))
    return invalid('cardNo is neither an IBAN nor an account number')
  return bankCode === '' || isBic(bankCode) ? undefined : noBank()
}

/**
 * Checks a CLABE and its bank. A CLABE begins with the last three digits of its bank's code. The town code in a CLABE
 * is not checked, because the published lists are out of date.
 */
function checkSpei(account: string, bankCode: string, banks: Banks): Refusal | undefined {
  const { valid } = clabe.validate(account)
  if (!valid.format) return invalid('cardNo is not a CLABE')
  const prefix = account.slice(0, 3)
  if (!valid.bank && !banks.items('banks/spei').some(({ code }) => code.endsWith(prefix))) return noBank()
  if (bankCode === '') return undefined
  if (!banks.has('banks/spei', bankCode)) return noBank()
  return bankCode.slice(-3) === prefix
    ? undefined
    : invalid('the CLABE belongs to another bank than bankCode')
}

function invalid(why: string): Refusal {
  return new Refusal('10105', why)
}

function noBank(): Refusal {
  return new Refusal('10013', 'bankCode')
}
