// A charge of our own bank protocol, and the parts of a payer's action that the charge contains. The parser is strict:
// one malformed field invalidates the charge.

import { isBic } from '../../../../platform/base/iban.ts'
import type { Money } from '../../../../platform/base/money.ts'
import { type Fields, isObject } from '../../../../platform/base/object.ts'
import type { Deposit, PayerAction } from '../../../contract/channel.ts'
import { fieldFault, moneyFault } from '../../../contract/counterparty-texts.ts'
import { isWebAddress } from '../../../toolkit/outcomes.ts'
import { readTime } from '../../../toolkit/read-time.ts'

export type BankCharge = {
  readonly id: string
  /** Our reference of the payment. */
  readonly reference: string
  readonly status: 'open' | 'paid' | 'declined' | 'cancelled'
  /**
   * The amount. Undefined if the charge was cancelled before it was opened, because the bank then never got an amount.
   */
  readonly money: Money | undefined
  /** The bank's reason for declining the charge; '' if the bank gave none. */
  readonly reason: string
  readonly account?: string
  readonly payee?: string
  readonly bank?: string
  readonly bic?: string
  readonly paymentReference?: string
  /** The bank's own page for the payer. */
  readonly payerUrl?: string
  /** The QR code for the payer, if the bank makes one. */
  readonly qrCode?: string
  /** The parameters that the merchant's own app passes to the wallet's SDK. */
  readonly sdkParams?: string
  readonly deposits: readonly Deposit[]
  /** The fields that `toOpen` sent, and further fields of the bank. */
  readonly extra: Fields
}

const statuses = ['open', 'paid', 'declined', 'cancelled'] as const
/** The optional texts, with their maximum lengths. */
const optional = {
  account: 255,
  payee: 255,
  bank: 255,
  bic: 255,
  paymentReference: 255,
  qrCode: 1_024,
  sdkParams: 4_096,
} as const
const MAX_DEPOSITS = 200
const TEXT = 'a text of 1 to 255 characters'

export function readCharge(body: unknown): BankCharge | undefined {
  const charge = readChargeOrFault(body)
  return typeof charge === 'string' ? undefined : charge
}

/** Returns the charge, or a text that says which field is wrong. */
export function readChargeOrFault(body: unknown): BankCharge | string {
  if (!isObject(body)) return 'it is no JSON object'
  const status = statuses.find((one) => one === body.status)
  const { id, reference, extra = {} } = body
  if (status === undefined) return fieldFault('status', body.status, `one of ${statuses.join(', ')}`)
  if (!isText(id)) return fieldFault('id', id, TEXT)
  if (!isText(reference)) return fieldFault('reference', reference, TEXT)
  if (!isObject(extra)) return fieldFault('extra', extra, 'an object')
  const deposits = readDeposits(body.deposits)
  if (typeof deposits === 'string') return deposits
  const texts = readTexts(body)
  if (typeof texts === 'string') return texts
  const isEmpty = status === 'cancelled' && body.amount === ''
  const money = readMoney(body)
  if (typeof money === 'string' && !isEmpty) return money
  const reason = isText(body.reason) ? body.reason : ''
  const asked = typeof money === 'string' ? undefined : money
  return { id, reference, status, money: asked, reason, ...texts, deposits, extra }
}

function readMoney(fields: Fields): Money | string {
  const fault = moneyFault(fields)
  return fault ?? { amount: BigInt(String(fields.amount)), currency: String(fields.currency) }
}

function readTexts(body: Fields): Pick<BankCharge, keyof typeof optional | 'payerUrl'> | string {
  const present = Object.entries(optional).filter(([name]) => body[name] !== undefined && body[name] !== '')
  for (const [name, most] of present)
    if (!isText(body[name], most)) return fieldFault(name, body[name], `a text of at most ${most} characters`)
  const texts = Object.fromEntries(present.map(([name]) => [name, String(body[name])]))
  const { payerUrl = '' } = body
  if (payerUrl === '') return texts
  return isText(payerUrl, 1_024) && isWebAddress(payerUrl)
    ? { ...texts, payerUrl }
    : fieldFault('payerUrl', payerUrl, 'an address with http or https of at most 1024 characters')
}

/**
 * Returns the deposits, or a text that says what is wrong. One malformed deposit or a repeated id invalidates the list,
 * because skipping a deposit would lose money.
 */
function readDeposits(list: unknown): Deposit[] | string {
  if (!Array.isArray(list) || list.length > MAX_DEPOSITS)
    return fieldFault('deposits', list, `a list of at most ${MAX_DEPOSITS} entries`)
  const read = list.map(readDeposit)
  const fault = read.find((one) => typeof one === 'string')
  if (fault !== undefined) return `in "deposits", ${fault}`
  const deposits = read.filter((one) => typeof one !== 'string')
  const ids = new Set(deposits.map(({ depositRef }) => depositRef))
  return ids.size === list.length ? deposits : 'in "deposits", two entries have the same "id"'
}

function readDeposit(entry: unknown): Deposit | string {
  if (!isObject(entry)) return 'an entry is no object'
  const money = readMoney(entry)
  const at = readTime(entry.at)
  if (typeof money === 'string') return money
  if (!isText(entry.id)) return fieldFault('id', entry.id, TEXT)
  if (at === undefined)
    return fieldFault('at', entry.at, 'ISO 8601 in UTC, such as "2026-11-16T12:00:00.000Z"')
  const about = ['payerName', 'payerAccount', 'txHash', 'gasFee'].filter((name) => isText(entry[name]))
  const texts = Object.fromEntries(about.map((name) => [name, String(entry[name])]))
  return { depositRef: entry.id, money, at, ...texts }
}

function isText(value: unknown, most = 255): value is string {
  return typeof value === 'string' && value !== '' && value.length <= most
}

export function appUrlOf({ payerUrl }: BankCharge): { readonly appUrl?: string } {
  return payerUrl === undefined ? {} : { appUrl: payerUrl }
}

/** Returns the `bic` of a payer's action, for rails where the BIC is optional. An invalid BIC is left out. */
export function bicOf({ bic }: BankCharge): { readonly bic?: string } {
  return bic !== undefined && isBic(bic) ? { bic } : {}
}

/** Returns a redirect to the bank's page. Undefined if the charge names no page. */
export function redirectTo({ payerUrl }: BankCharge): PayerAction | undefined {
  return payerUrl === undefined ? undefined : { kind: 'redirect', url: payerUrl }
}
