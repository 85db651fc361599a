// What the page asks a payer for: all that a channel which may be tried must know, less what the merchant sent.
import type { Channel } from '../channels/contract.ts'
import { type AskedField, type Fields, isNeeded } from '../channels/traits.ts'

export function askedOfPayer(channels: readonly Channel[], held: Fields): readonly AskedField[] {
  const asked = new Map(channels.flatMap(({ traits }) => traits.asks).map((field) => [field.name, field]))
  return [...asked.values()].filter((field) => isEmpty(held[field.name]) && isNeeded(field, held))
}

/** One address serves as both e-mail fields: a payer is not asked for what the merchant sent under the other name. */
export function emailsOf(held: Fields): Fields {
  const [email] = [held.email, held.billingEmail].filter((value) => !isEmpty(value))
  if (email === undefined) return {}
  return {
    email: isEmpty(held.email) ? email : held.email,
    billingEmail: isEmpty(held.billingEmail) ? email : held.billingEmail,
  }
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}
