// The QR code of the European Payments Council: a pre-filled credit transfer for banking apps, one line per field.

import { isBic, isIban } from '../../base/iban.ts'
import { formatAmount, type Money } from '../../base/money.ts'
import { isCreditorReference } from './creditor-reference.ts'

export type CreditTransfer = {
  readonly iban: string
  /** '' if not needed. */
  readonly bic: string
  readonly payee: string
  readonly money: Money
  /** An RF creditor reference, or any text of up to 140 characters. */
  readonly reference: string
}

const SERVICE_TAG = 'BCD'
const VERSION = '002'
const UTF_8 = '1'
const NO_PURPOSE = ''
/** 999,999,999.99 */
const MAX_AMOUNT = 99_999_999_999n
const MAX_BYTES = 331

/** Undefined when a bank would refuse the transfer. */
export function epcQr({ iban, bic, payee, money, reference }: CreditTransfer): string | undefined {
  if (!isIban(iban) || (bic !== '' && !isBic(bic))) return undefined
  if (money.currency !== 'EUR' || money.amount <= 0n || money.amount > MAX_AMOUNT) return undefined
  if (!isLine(payee, 70) || !isLine(reference, 140)) return undefined
  const amount = `EUR${formatAmount(money.amount, money.currency)}`
  const remittance = isCreditorReference(reference) ? [reference] : ['', reference]
  const lines = [SERVICE_TAG, VERSION, UTF_8, 'SCT', bic, payee, iban, amount, NO_PURPOSE, ...remittance]
  const payload = lines.join('\n')
  return Buffer.byteLength(payload) <= MAX_BYTES ? payload : undefined
}

function isLine(text: string, maxLength: number): boolean {
  return text !== '' && Array.from(text).length <= maxLength && !/\p{Cc}/u.test(text)
}
