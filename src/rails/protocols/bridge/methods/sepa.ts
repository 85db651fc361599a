import type { PayerAction } from '../../../contract/channel.ts'
import { epcQr } from '../../../toolkit/formats/epc-qr.ts'
import { connectBank } from '../bank/bank-channel.ts'
import { appUrlOf, type BankCharge } from '../bank/charge.ts'

const MAX_NAME = 70

export function sepaAction(charge: BankCharge): PayerAction | undefined {
  const { money, account = '', bank, bic = '', paymentReference: reference = '' } = charge
  // A credit transfer has room for MAX_NAME characters of the payee's name.
  const payee = Array.from(charge.payee ?? '')
    .slice(0, MAX_NAME)
    .join('')
  if (money === undefined || bank === undefined || bic === '') return undefined
  const qrCode = epcQr({ iban: account, bic, payee, money, reference })
  if (qrCode === undefined) return undefined
  const transfer = { kind: 'transfer', accountKind: 'iban', account, bank, bic, payee, reference } as const
  return { ...transfer, qrCode, ...appUrlOf(charge) }
}

export const connectSepa = connectBank({
  method: 'sepa',
  reports: 'deposits',
  actionOf: sepaAction,
})
