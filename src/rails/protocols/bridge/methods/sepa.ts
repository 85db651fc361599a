import { appUrlOf } from '../bank/app-url.ts'
import type { BankCharge } from '../bank/charge.ts'
import type { PayerAction } from '../contract.ts'
import { epcQr } from './epc-qr.ts'

const MAX_NAME = 70

export function sepaAction(charge: BankCharge): PayerAction | undefined {
  const { money, account = '', bank, bic = '', paymentReference: reference = '' } = charge
  // Maximum length of a name in a credit transfer.
  const payee = Array.from(charge.payee ?? '')
    .slice(0, MAX_NAME)
    .join('')
  if (money === undefined || bank === undefined || bic === '') return undefined
  const qrCode = epcQr({ iban: account, bic, payee, money, reference })
  if (qrCode === undefined) return undefined
  const transfer = { kind: 'transfer', accountKind: 'iban', account, bank, bic, payee, reference } as const
  return { ...transfer, qrCode, ...appUrlOf(charge) }
}
