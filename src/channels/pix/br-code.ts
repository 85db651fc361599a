// The BR Code that a payer scans or pastes: an EMV code that leads to the charge at the payee's bank. One that another
// wrote is read strictly before anybody is shown it: a wrong digit would send money elsewhere.
import { formatAmount, type Money } from '../../base/money.ts'
import { emvText, readEmv, readTemplate, writeEmv } from '../emv.ts'

export type BrCode = {
  readonly money: Money
  /** Where the payer's bank fetches the charge, without its scheme. */
  readonly location: string
  readonly payeeName: string
  readonly payeeCity: string
}

const PIX = 'br.gov.bcb.pix'
const REAL = '986'
/** In a dynamic code the charge at its location has the identifier. */
const NO_TXID = '***'

export function writeBrCode({ money, location, payeeName, payeeCity }: BrCode): string {
  return writeEmv([
    ['00', '01'],
    ['01', '12'],
    [
      '26',
      [
        ['00', PIX],
        ['25', location],
      ],
    ],
    ['52', '0000'],
    ['53', REAL],
    ['54', formatAmount(money.amount, money.currency)],
    ['58', 'BR'],
    ['59', emvText(payeeName, 25, 'Recebedor')],
    ['60', emvText(payeeCity, 15, 'Brasil')],
    ['62', [['05', NO_TXID]]],
  ])
}

/** Whom the code pays; undefined when it is not whole, or asks for anything but this money by this charge. */
export function payeeIn(
  code: string,
  charge: { readonly money: Money; readonly txid: string },
): string | undefined {
  const values = readEmv(code)
  const account = readTemplate(values?.get('26') ?? '')
  const { amount, currency } = charge.money
  const told = {
    isPix: account?.get('00')?.toLowerCase() === PIX && account.has('25'),
    isReal: currency === 'BRL' && values?.get('53') === REAL && values.get('58') === 'BR',
    // A dynamic code may leave the amount to the charge.
    isAmount: [undefined, formatAmount(amount, currency)].includes(values?.get('54')),
    isCharge: [NO_TXID, charge.txid].includes(readTemplate(values?.get('62') ?? '')?.get('05') ?? NO_TXID),
  }
  return Object.values(told).every(Boolean) ? values?.get('59') : undefined
}
