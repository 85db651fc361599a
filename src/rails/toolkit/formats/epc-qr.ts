// The QR code of the European Payments Council: a pre-filled credit transfer, one line per field. The reference may be
// a creditor reference of ISO 11649: RF, two check digits, up to 21 letters and digits.
import { isBic, isIban } from '../../../platform/base/iban.ts'
import { formatAmount, type Money } from '../../../platform/base/money.ts'

export type CreditTransfer = {
  readonly iban: string
  /** The BIC, or '' if it is not needed. */
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
/** The scheme's limit, 999,999,999.99 euros. */
const MAX_AMOUNT = 99_999_999_999n
const MAX_BYTES = 331

/** Returns the payload of the code; undefined if a bank would refuse the transfer. */
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

export function isCreditorReference(text: string): boolean {
  return /^RF\d{2}[A-Z0-9]{1,21}$/.test(text) && mod97(text.slice(4) + text.slice(0, 4)) === 1
}

/** Adds RF and the check digits to `body`, which is 1 to 21 capital letters and digits. */
export function creditorReference(body: string): string {
  const check = 98 - mod97(`${body}RF00`)
  return `RF${String(check).padStart(2, '0')}${body}`
}

/** Returns the text modulo 97, as a number in which each letter stands for two digits, from A = 10 to Z = 35. */
function mod97(text: string): number {
  let rest = 0
  for (const character of text) {
    const value = Number.parseInt(character, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest
}
