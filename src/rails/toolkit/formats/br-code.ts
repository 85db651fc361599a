// The Pix QR code ("BR Code") of a charge at the payee's bank. A code that comes from a bank is checked strictly before
// a payer sees it, because a wrong digit would send money elsewhere.
import { formatAmount, type Money } from '../../../platform/base/money.ts'
import { emvText, readEmv, readTemplate, template, writeEmv } from './emv-qr.ts'

export type BrCode = {
  readonly money: Money
  /** The address of the charge, without the scheme. */
  readonly location: string
  readonly payeeName: string
  readonly payeeCity: string
}

const PIX = 'br.gov.bcb.pix'
const REAL = '986'
/** The placeholder for the txid: in a dynamic code, the charge at the location contains the txid. */
const NO_TXID = '***'

export function writeBrCode({ money, location, payeeName, payeeCity }: BrCode): string {
  return writeEmv([
    ['00', '01'],
    ['01', '12'],
    template('26', ['00', PIX], ['25', location]),
    ['52', '0000'],
    ['53', REAL],
    ['54', formatAmount(money.amount, money.currency)],
    ['58', 'BR'],
    ['59', emvText(payeeName, 25, 'Recebedor')],
    ['60', emvText(payeeCity, 15, 'Brasil')],
    template('62', ['05', NO_TXID]),
  ])
}

/** Returns the payee's name in the code; undefined if the code is malformed, or is for another charge or amount. */
export function payeeIn(
  code: string,
  charge: { readonly money: Money; readonly txid: string },
): string | undefined {
  const values = readEmv(code)
  const account = readTemplate(values?.get('26') ?? '')
  const { amount, currency } = charge.money
  const checks = {
    // Field 25 is the address of the charge. A static code has a Pix key instead, so its payments could not be assigned
    // to orders.
    isPix: account?.get('00')?.toLowerCase() === PIX && account.has('25'),
    isReal: currency === 'BRL' && values?.get('53') === REAL && values.get('58') === 'BR',
    // A dynamic code may omit the amount, because the charge at the location contains it.
    isAmount: [undefined, formatAmount(amount, currency)].includes(values?.get('54')),
    isCharge: [NO_TXID, charge.txid].includes(readTemplate(values?.get('62') ?? '')?.get('05') ?? NO_TXID),
  }
  return Object.values(checks).every(Boolean) ? values?.get('59') : undefined
}
