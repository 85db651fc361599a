// The creditor reference that a payer enters: RF, two check digits, six digits for the channel, and the payment's
// number in nine digits. After RF there are only digits, because banks change the case of a remittance text, and remove
// or insert spaces.
import { createHash } from 'node:crypto'
import { assert } from '../../../platform/errors/catalogue.ts'
import { creditorReference, isCreditorReference } from '../../toolkit/formats/epc-qr.ts'

const CHANNEL_LENGTH = 6
/** The length is fixed, because other digits may follow the number without a space. */
const NUMBER_LENGTH = 9

export type PaymentReferences = {
  of(number: number): string
  /** Returns the number of the payment that the texts name. Undefined if they name no payment, or more than one. */
  numberIn(texts: readonly string[]): number | undefined
}

/**
 * The channel's digits distinguish the references of this channel from those of an earlier channel with the same
 * account.
 */
export function paymentReferences(channel: string): PaymentReferences {
  const prefix = channelDigits(channel)
  // RF is not part of the pattern, because the payer may leave it out. The lookahead finds overlapping candidates.
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

/**
 * Returns six digits from a hash of the channel's name. They almost always differ between channels. The ids of our
 * messages to the bank contain these digits, too.
 */
export function channelDigits(channel: string): string {
  const number = createHash('sha256').update(channel).digest().readUInt32BE(0) % 10 ** CHANNEL_LENGTH
  return String(number).padStart(CHANNEL_LENGTH, '0')
}
