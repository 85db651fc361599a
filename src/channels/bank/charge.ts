// Parses a charge of our own bank protocol strictly: one malformed field invalidates it.

import { isFiat } from '../../base/currency.ts'
import type { Money } from '../../base/money.ts'
import { type Fields, isObject } from '../../base/object.ts'
import type { Deposit } from '../contract.ts'
import { readTime } from '../read-time.ts'

export type BankCharge = {
  /** The bank's own id. */
  readonly id: string
  /** Our reference. */
  readonly reference: string
  readonly status: 'open' | 'paid' | 'declined' | 'cancelled'
  /** Undefined when it was cancelled before it was opened, so that the bank never got an amount. */
  readonly money: Money | undefined
  /** '' when the bank gave none. */
  readonly reason: string
  /** Where the payer pays. */
  readonly account?: string
  readonly payee?: string
  readonly bank?: string
  readonly bic?: string
  /** The reference that the payer enters in the transfer. */
  readonly paymentReference?: string
  /** The bank's own page for the payer, if it has one. */
  readonly payerUrl?: string
  /** For rails that make the payer's code themselves. */
  readonly qrCode?: string
  /** What the merchant's own app passes to the wallet's SDK. */
  readonly sdkParams?: string
  readonly deposits: readonly Deposit[]
  /** The fields that `toOpen` sent, and further ones from the bank. */
  readonly extra: Fields
}

const statuses = ['open', 'paid', 'declined', 'cancelled'] as const
/** With the most characters of each. */
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

export function readCharge(body: unknown): BankCharge | undefined {
  if (!isObject(body)) return undefined
  const status = statuses.find((one) => one === body.status)
  const { id, reference, extra = {} } = body
  if (status === undefined || !isText(id) || !isText(reference) || !isObject(extra)) return undefined
  const money = readMoney(body)
  const deposits = readDeposits(body.deposits)
  const texts = readTexts(body)
  if (deposits === undefined || texts === undefined) return undefined
  if (money === undefined && !(status === 'cancelled' && body.amount === '')) return undefined
  const reason = isText(body.reason) ? body.reason : ''
  return { id, reference, status, money, reason, ...texts, deposits, extra }
}

function readMoney({ amount, currency }: Fields): Money | undefined {
  const isAmount = typeof amount === 'string' && /^[1-9]\d{0,17}$/.test(amount)
  if (!isAmount || typeof currency !== 'string' || !isFiat(currency)) return undefined
  return { amount: BigInt(amount), currency }
}

function readTexts(body: Fields): Pick<BankCharge, keyof typeof optional | 'payerUrl'> | undefined {
  const present = Object.entries(optional).filter(([name]) => body[name] !== undefined && body[name] !== '')
  if (!present.every(([name, most]) => isText(body[name], most))) return undefined
  const texts = Object.fromEntries(present.map(([name]) => [name, String(body[name])]))
  const { payerUrl = '' } = body
  if (payerUrl === '') return texts
  return isText(payerUrl, 1_024) && isWebAddress(payerUrl) ? { ...texts, payerUrl } : undefined
}

/** One malformed deposit invalidates the list, because skipping it would lose money. So does one that is listed twice. */
function readDeposits(list: unknown): Deposit[] | undefined {
  if (!Array.isArray(list) || list.length > MAX_DEPOSITS) return undefined
  const deposits = list.flatMap((entry) => readDeposit(entry) ?? [])
  const ids = new Set(deposits.map(({ depositRef }) => depositRef))
  return ids.size === list.length ? deposits : undefined
}

function readDeposit(entry: unknown): Deposit | undefined {
  if (!isObject(entry)) return undefined
  const money = readMoney(entry)
  const at = readTime(entry.at)
  if (money === undefined || !isText(entry.id) || at === undefined) return undefined
  const about = ['payerName', 'payerAccount', 'txHash', 'gasFee'].filter((name) => isText(entry[name]))
  const texts = Object.fromEntries(about.map((name) => [name, String(entry[name])]))
  return { depositRef: entry.id, money, at, ...texts }
}

function isText(value: unknown, most = 255): value is string {
  return typeof value === 'string' && value !== '' && value.length <= most
}

function isWebAddress(text: string): boolean {
  const url = URL.parse(text)
  return url?.protocol === 'http:' || url?.protocol === 'https:'
}
