// A saved beneficiary of payouts. The account is encrypted and bound to its row. The row of an account is found by its
// fingerprint, which is a keyed hash of the account.
import { enteredTypes } from '../../../money/payouts/payout.ts'
import type { PayoutRequested } from '../../../money/payouts/prepare-payout.ts'
import { isIbanLike } from '../../../platform/base/iban.ts'
import { isObject } from '../../../platform/base/object.ts'
import type { Vault } from '../../../platform/base/secret.ts'
import type { AccountKind } from '../../../rails/contract/payout-rail.ts'

/** The kinds of account that may be saved. Card numbers must not be stored. */
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

/** A new or changed account becomes usable after this wait, unless a second person confirms the account earlier. */
export const WAIT_MS = 24 * 3_600_000

export type Account = Pick<PayoutRequested, 'kind' | 'account' | 'details'>

/**
 * Returns the fingerprint of an account: a keyed hash of its number without spaces and punctuation. The hash includes
 * the bank or the chain, because the same plain number may exist at several banks, and the same address on several
 * chains. An IBAN, CLABE, CCI or Pix key alone identifies an account.
 */
export function fingerprintOf(vault: Vault, { kind, account, details }: Account): string {
  const isMail = kind === 'pix' && account.includes('@')
  const bare = isMail ? account.replace(/\s/g, '').toUpperCase() : bareNumber(account)
  const rest = [...bankOf({ kind, account, details }), ...chainOf({ kind, details })]
  return vault.fingerprint(['beneficiary', kind, bare, ...rest].join(':'))
}

/**
 * Returns the fingerprint in the former format, which older rows still have. The former format lacks the bank, and the
 * dots of e-mail addresses. Different accounts may have the same former fingerprint, so it only finds candidates.
 */
export function formerFingerprintOf(vault: Vault, { kind, account, details }: Account): string {
  const rest = chainOf({ kind, details })
  return vault.fingerprint(['beneficiary', kind, bareNumber(account), ...rest].join(':'))
}

function bareNumber(account: string): string {
  return account.replace(/[\s.-]/g, '').toUpperCase()
}

function bankOf({ kind, account, details }: Account): string[] {
  const isPlain = kind === 'bank_account' && !isIbanLike(account)
  return isPlain ? [String(details.bankCode ?? '').toUpperCase()] : []
}

function chainOf({ kind, details }: Pick<Account, 'kind' | 'details'>): string[] {
  return kind === 'coin' ? [String(details.coin), String(details.network)] : []
}

export function withFingerprint(vault: Vault, one: Beneficiary): Beneficiary {
  const { cardNo: account = '' } = sealedFieldsOf(vault, one)
  return { ...one, fingerprint: fingerprintOf(vault, { ...one, account }) }
}

export function accountInWords(masked: string, { bankCode }: Account['details']): string {
  return bankCode === undefined ? masked : `${masked} ${String(bankCode)}`
}

export type Secrets = { readonly account: string; readonly personal: Readonly<Record<string, unknown>> }

export function sealSecrets(vault: Vault, beneficiaryId: string, secrets: Secrets): Buffer {
  return vault.seal(JSON.stringify(secrets), `beneficiary:${beneficiaryId}`)
}

/** Decrypts the fields that are never shown: the account number as `cardNo`, and the numbers of documents. */
export function sealedFieldsOf(
  vault: Vault,
  { beneficiaryId, sealed }: Beneficiary,
): Readonly<Record<string, string>> {
  const opened: unknown = JSON.parse(vault.open(sealed, `beneficiary:${beneficiaryId}`))
  const { account, personal } = isObject(opened) ? opened : {}
  return { ...texts(isObject(personal) ? personal : {}), cardNo: String(account) }
}

/** Returns the beneficiary's fields in the form that `/payout` takes. */
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
