// QR Ph (person to merchant), the Philippine dialect of the EMV QR code, for GCash and every Philippine banking app.
import { formatAmount, type Money } from '../../../platform/base/money.ts'
import { emvText, template, writeEmv } from './emv-qr.ts'

export type QrPh = {
  /** The acquirer, by its BIC. */
  readonly bic: string
  /** The acquirer's number for the merchant. */
  readonly store: string
  readonly payee: string
  readonly money: Money
  /** Identifies the incoming payment; at most 25 characters. */
  readonly reference: string
}

const DYNAMIC = '12'
/** Marks a code for one payment of a fixed amount. */
const FIXED_AMOUNT = '010'
const UNSPECIFIED_TRADE = '0000'
const PESO = '608'

/** Returns the payload of the code; undefined if a banking app would refuse the code. */
export function qrPh({ bic, store, payee, money, reference }: QrPh): string | undefined {
  if (money.currency !== 'PHP' || money.amount <= 0n) return undefined
  if (!isPhilippineBic(bic) || !/^[A-Za-z0-9-]{1,25}$/.test(store)) return undefined
  if (!/^[A-Za-z0-9-]{1,25}$/.test(reference)) return undefined
  return writeEmv([
    ['00', '01'],
    ['01', DYNAMIC],
    template('28', ['00', 'ph.ppmi.p2m'], ['01', bic.padEnd(11, 'X')], ['03', store], ['05', FIXED_AMOUNT]),
    ['52', UNSPECIFIED_TRADE],
    ['53', PESO],
    ['54', formatAmount(money.amount, money.currency)],
    ['58', 'PH'],
    ['59', emvText(payee, 25, 'Shop')],
    ['60', 'Manila'],
    template('62', ['00', 'ph.ppmi.qrph'], ['05', reference]),
  ])
}

function isPhilippineBic(bic: string): boolean {
  return /^[A-Z]{4}PH[A-Z0-9]{2}([A-Z0-9]{3})?$/.test(bic)
}
