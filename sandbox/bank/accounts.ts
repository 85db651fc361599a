// The accounts to which payers of the sandbox transfer. Each charge gets its own account or payment reference, which is
// derived from the charge's number and has valid check digits.
import type { Allotment, BankOrder } from './charge.ts'

type Allot = (no: number, order: BankOrder) => Allotment

/** The functions that assign an account, by method. */
export const allotments = {
  gcash: (no) => ({
    bank: 'GCash',
    bic: 'GXCHPHM2XXX',
    account: '217020999901',
    paymentReference: referenceOf(no),
  }),
  spei: (no) => ({
    bank: 'STP',
    bic: 'SBOXMXMMXXX',
    account: clabe(`646180999${digits(no, 8)}`),
    paymentReference: digits(no, 7),
  }),
  per_transfer: (no, { extra }) => ({
    bank: 'BCP',
    bic: 'SBOXPEPLXXX',
    account: cci(`002191999${digits(no, 9)}`),
    paymentReference: referenceOf(no),
    // Only the last three characters are stored, because nothing needs the whole document number.
    extra: { payerDocument: String(extra.payerDocument ?? '').slice(-3) },
  }),
  sepa: (no) => ({
    bank: 'Sandbox Bank',
    bic: 'SBOXDEFFXXX',
    account: iban('DE', `99999900${digits(no, 10)}`),
    paymentReference: creditorReference(referenceOf(no)),
  }),
  vn_bank: (no) => ({
    account: `962470${digits(no, 9)}`,
    paymentReference: referenceOf(no),
  }),
} as const satisfies Readonly<Record<string, Allot>>

function referenceOf(no: number): string {
  return `TG${digits(no, 9)}`
}

/** Returns the last digits of a number, padded with zeros. Larger numbers wrap around. */
function digits(no: number, length: number): string {
  return String(no % 10 ** length).padStart(length, '0')
}

function clabe(account: string): string {
  return account + checkDigit(account, [3, 7, 1], (product) => product % 10)
}

function cci(account: string): string {
  const digit = (part: string) =>
    checkDigit(part, [1, 2], (product) => Math.floor(product / 10) + (product % 10))
  return account + digit(account.slice(0, 6)) + digit(account.slice(6))
}

function checkDigit(account: string, weights: readonly number[], fold: (product: number) => number): number {
  const sum = [...account].reduce(
    (before, digit, at) => before + fold(Number(digit) * (weights[at % weights.length] ?? 0)),
    0,
  )
  return (10 - (sum % 10)) % 10
}

function iban(country: string, account: string): string {
  return country + check97(account + country) + account
}

function creditorReference(text: string): string {
  return `RF${check97(`${text}RF`)}${text}`
}

/** Returns the check digits of ISO 7064 mod 97-10. A letter counts as two digits, from A = 10. */
function check97(text: string): string {
  const number = [...`${text}00`].map((character) => Number.parseInt(character, 36)).join('')
  return String(98n - (BigInt(number) % 97n)).padStart(2, '0')
}
