// Maps payouts to dLocal's messages and back. A response that is malformed or about another payout gives `unknown`.
import { type Fields, isObject } from '../../../platform/base/object.ts'
import type { PayoutFailed, PayoutOutcome } from '../../contract/payout-outcome.ts'
import type { AccountKind, PayoutRequest } from '../../contract/payout-rail.ts'
import { taxNumberOf } from '../../methods/pix.ts'
import { notSent, unknown } from '../../toolkit/outcomes.ts'
import type { Reply } from '../../toolkit/transport.ts'
import { type BankCodes, bankCodeOf, currencyOf, textOf } from './countries.ts'
import { isId, moneyIn, withAmount } from './wire.ts'

const countryOf: Readonly<Partial<Record<AccountKind, string>>> = {
  per_transfer: 'PE',
  spei: 'MX',
  pix: 'BR',
}

export const payoutKinds: readonly AccountKind[] = ['per_transfer', 'spei', 'pix', 'bank_account']

/** Returns the currencies of the account kinds. A bank account may be in any of the countries in this function. */
export function payoutCurrencies(kinds: readonly AccountKind[]): readonly string[] {
  const countries = kinds.includes('bank_account')
    ? ['PE', 'VN', 'MX', 'BR', 'PH']
    : kinds.flatMap((kind) => countryOf[kind] ?? [])
  return countries.flatMap((country) => currencyOf(country) ?? [])
}

export type PayoutTerms = {
  /** dLocal's code for the purpose of the payouts. */
  readonly purpose: string
  readonly bankCodes: BankCodes
}

/** Returns the request as JSON, or a failure if dLocal cannot make the payout. */
export function toPayout(request: PayoutRequest, { purpose, bankCodes }: PayoutTerms): string | PayoutFailed {
  const { reference, kind, money, beneficiary } = request
  const { account, details } = beneficiary
  const country = countryOf[kind] ?? String(details.countryCode)
  if (currencyOf(country) !== money.currency)
    return notSent('dLocal pays in the currency of the account only')
  const code = bankCodeOf({ account, bic: textOf(details.bankCode) ?? '', country }, bankCodes)
  if (code === undefined && kind !== 'pix')
    return notSent("dLocal's code of the beneficiary's bank is not known")
  const document = documentOf(request, country)
  if (document === undefined && needsDocument.includes(country))
    return notSent("dLocal needs the beneficiary's document: send customerIdentification")
  const isCompany = details.accountHolderType === '1' || details.beneficiaryType === 'business'
  return withAmount(money, {
    external_id: reference,
    payment_method_id: 'BANK_TRANSFER',
    flow_type: isCompany ? 'B2B' : 'B2C',
    purpose,
    country,
    beneficiary: {
      first_name: details.benFirstName,
      last_name: details.benLastName,
      email: textOf(details.email),
      document,
      address: addressOf(details, country),
      bank_account: {
        account,
        type: kind === 'pix' ? 'PIX' : accountTypes[String(details.accountType)],
        code,
      },
    },
  })
}

const accountTypes: Readonly<Record<string, string>> = { '00': 'CHECKING', '01': 'SAVINGS' }
const needsDocument: readonly string[] = ['PE', 'BR']
const documentTypes: Readonly<Record<string, string>> = { '00': 'DNI', '01': 'CE', '02': 'RUC', '03': 'PASS' }

/**
 * Returns the beneficiary's identity document. In Brazil the document is a tax number, which may be the Pix key itself.
 */
function documentOf(
  { kind, beneficiary: { account, details } }: PayoutRequest,
  country: string,
): Fields | undefined {
  const id = textOf(details.customerIdentification)
  if (country !== 'BR')
    return id === undefined
      ? undefined
      : { id, type: documentTypes[String(details.customerIdentificationType)] }
  const tax = (kind === 'pix' ? taxNumberOf(account) : undefined) ?? taxNumberOf(id ?? '')
  if (tax === undefined) return undefined
  return 'cpf' in tax ? { id: tax.cpf, type: 'CPF' } : { id: tax.cnpj, type: 'CNPJ' }
}

function addressOf(details: Fields, country: string): Fields | undefined {
  const street = textOf(details.addressLine)
  return street === undefined
    ? undefined
    : { street, city: textOf(details.city), state: textOf(details.state), country }
}

const processing: readonly string[] = ['PENDING', 'DELIVERED', 'ON_HOLD', 'ON_HOLD_BY_COMPLIANCE']

export function fromPayout(reply: Reply, reference: string): PayoutOutcome {
  if (reply.kind !== 'answer') return unknown(reply.why)
  const { id: railRef, external_id: named, status, ...payout } = isObject(reply.body) ? reply.body : {}
  if (reply.status !== 200 || typeof railRef !== 'string' || !isId(railRef))
    return unknown(`dLocal responded ${reply.status} without a payout`)
  if (named !== reference) return unknown('dLocal responded about another payout')
  if (processing.includes(String(status))) return { kind: 'processing', railRef }
  if (status === 'REJECTED' || status === 'CANCELLED') return { ...payoutFailed('declined'), railRef }
  const money = moneyIn(payout)
  if (status !== 'PAID' || money === undefined) return unknown("dLocal's payout has no known status")
  return { kind: 'succeeded', money, railRef }
}

export function payoutFailed(cause: PayoutFailed['cause']): PayoutFailed {
  const messages = {
    declined: "The beneficiary's bank did not accept the payout",
    refused: 'dLocal refused the payout',
    unauthorised: 'dLocal did not accept our credentials, or the account has too little money',
    unreachable: 'dLocal could not be reached',
  }
  return { kind: 'failed', cause, message: messages[cause] }
}
