// The creditor reference that a payer enters: RF, two check digits, six digits of the channel and nine of the payment's number.
// Digits alone survive what banks do to a remittance text: they cut it, change its case, and drop or insert spaces.
import { createHash } from 'node:crypto'
import { assert } from '../../errors/catalogue.ts'
import { creditorReference, isCreditorReference } from '../sepa/creditor-reference.ts'

const CHANNEL_LENGTH = 6
/** A fixed width: other digits may follow without a space. */
const NUMBER_LENGTH = 9

export type PaymentReferences = {
  of(number: number): string
  /** The number of the only payment that the texts name; undefined if they name none or several. */
  numberIn(texts: readonly string[]): number | undefined
}

/** The channel's digits keep payments of an earlier channel with the same account apart. */
export function paymentReferences(channel: string): PaymentReferences {
  const prefix = channelDigits(channel)
  // The payer may leave out RF. The lookahead finds overlapping candidates.
  const candidate = new RegExp(`(?=(\\d{2}${prefix}\\d{${NUMBER_LENGTH}}))`, 'g')
  return {
    of(number) {
      const digits = String(number).padStart(NUMBER_LENGTH, '0')
      assert(digits.length === NUMBER_LENGTH, 'a channel has less than a billion payments')
      return creditorReference(prefix + digits)
    },
    numberIn(texts) {
      const plain = texts.map((text) => text.toUpperCase().replace(/[^A-Z0-9]/g, ''))
      const found = plain.flatMap((text) => [...text.matchAll(candidate)].map(([, digits = '']) => digits))
      const valid = found.filter((digits) => isCreditorReference(`RF${digits}`))
      const numbers = new Set(valid.map((digits) => Number(digits.slice(-NUMBER_LENGTH))))
      return numbers.size === 1 ? [...numbers][0] : undefined
    },
  }
}

/** Six digits that differ between channels, also for messages to the bank. */
export function channelDigits(channel: string): string {
  const number = createHash('sha256').update(channel).digest().readUInt32BE(0) % 10 ** CHANNEL_LENGTH
  return String(number).padStart(CHANNEL_LENGTH, '0')
}
