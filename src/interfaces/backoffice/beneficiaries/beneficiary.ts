// A saved beneficiary. Its account is encrypted and bound to its row; a keyed hash finds it again.
import { isIbanLike } from '../../base/iban.ts'
import { isObject } from '../../base/object.ts'
import type { Vault } from '../../base/secret.ts'
import type { AccountKind } from '../../channels/payout/contract.ts'
import { enteredTypes } from '../../payouts/payout.ts'
import type { PayoutRequested } from '../../payouts/prepare-payout.ts'

/** Cards are not saved here: their numbers may not be stored. */
export type BeneficiaryKind = Exclude<AccountKind, 'card'>

export const beneficiaryKinds: readonly BeneficiaryKind[] = [
  'bank_account',
  'pix',
  'per_transfer',
  'spei',
  'coin',
]

export type Beneficiary = {
  readonly merNo: number
  readonly beneficiaryId: string
  readonly label: string
  readonly kind: BeneficiaryKind
  readonly currency: string
  readonly accountMasked: string
  readonly fingerprint: string
  readonly details: Readonly<Record<string, unknown>>
  readonly sealed: Buffer
  readonly usableAt: Date
  readonly confirmedBy: string | undefined
  readonly createdBy: string
  readonly createdAt: Date
  readonly version: number
}

/** A new or changed account waits this long, unless a second person confirms it. */
export const WAIT_MS = 24 * 3_600_000

export type Account = Pick<PayoutRequested, 'kind' | 'account' | 'details'>

/**
 * All that tells an account from others, without the spaces and signs that people write in a number. A plain account number
 * may exist at every bank, and an address on every chain; IBAN, CLABE, CCI and Pix key name one account.
 */
export function fingerprintOf(vault: Vault, { kind, account, details }: Account): string {
  const isMail = kind === 'pix' && account.includes('@')
  const bare = isMail ? account.replace(/\s/g, '').toUpperCase() : bareNumber(account)
  const rest = [...bankOf({ kind, account, details }), ...chainOf({ kind, details })]
  return vault.fingerprint(['beneficiary', kind, bare, ...rest].join(':'))
}

/** As rows have it that were saved before banks counted, and dots in mail addresses. It finds them, and proves nothing. */
export function formerFingerprintOf(vault: Vault, { kind, account, details }: Account): string {
  const rest = chainOf({ kind, details })
  return vault.fingerprint(['beneficiary', kind, bareNumber(account), ...rest].join(':'))
}

function bareNumber(account: string): string {
  return account.replace(/[\s.-]/g, '').toUpperCase()
}

/** The bank of a plain account number. */
function bankOf({ kind, account, details }: Account): string[] {
  const isPlain = kind === 'bank_account' && !isIbanLike(account)
  return isPlain ? [String(details.bankCode ?? '').toUpperCase()] : []
}

function chainOf({ kind, details }: Pick<Account, 'kind' | 'details'>): string[] {
  return kind === 'coin' ? [String(details.coin), String(details.network)] : []
}

/** With the fingerprint of the account that is in it, whenever it was saved. */
export function withFingerprint(vault: Vault, one: Beneficiary): Beneficiary {
  const { cardNo: account = '' } = sealedFieldsOf(vault, one)
  return { ...one, fingerprint: fingerprintOf(vault, { ...one, account }) }
}

/** What people see of an account. Who approves it must know its bank. */
export function accountInWords(masked: string, { bankCode }: Account['details']): string {
  return bankCode === undefined ? masked : `${masked} ${String(bankCode)}`
}

export type Secrets = { readonly account: string; readonly personal: Readonly<Record<string, unknown>> }

export function sealSecrets(vault: Vault, beneficiaryId: string, secrets: Secrets): Buffer {
  return vault.seal(JSON.stringify(secrets), `beneficiary:${beneficiaryId}`)
}

/** The fields that are never shown: the account as `cardNo`, and numbers of documents. */
export function sealedFieldsOf(
  vault: Vault,
  { beneficiaryId, sealed }: Beneficiary,
): Readonly<Record<string, string>> {
  const opened: unknown = JSON.parse(vault.open(sealed, `beneficiary:${beneficiaryId}`))
  const { account, personal } = isObject(opened) ? opened : {}
  return { ...texts(isObject(personal) ? personal : {}), cardNo: String(account) }
}

/** The fields of a payout to this beneficiary, as `/payout` takes them. */
export function fieldsOf(vault: Vault, beneficiary: Beneficiary): Record<string, string> {
  const { details, kind, currency } = beneficiary
  const kept = { ...texts(details), ...sealedFieldsOf(vault, beneficiary) }
  return { ...kept, withdrawType: withdrawTypeOf(kind), currencyCode: currency }
}

function texts(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]))
}

export function withdrawTypeOf(kind: string): string {
  return [...enteredTypes].find(([, known]) => known === kind)?.[0] ?? ''
}
