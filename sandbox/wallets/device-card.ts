// The card on the payer's device in the sandbox.
import { randomBytes } from 'node:crypto'

export const deviceCard = { number: '4242424242424242', month: 12, year: 2039 } as const

/** Returns random bytes in the form of a cryptogram. */
export function makeCryptogram(): string {
  return randomBytes(20).toString('base64')
}
