// The card on the payer's device in the sandbox: one that the card issuer charges.
import { randomBytes } from 'node:crypto'

export const deviceCard = { number: '4242424242424242', month: 12, year: 2039 } as const

/** Proves nothing here, and has the shape of one that does. */
export function makeCryptogram(): string {
  return randomBytes(20).toString('base64')
}
