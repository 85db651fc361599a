// What is known of a payer, under whichever name the merchant sent it, and whether that is enough for a channel.
import type { Channel } from './contract.ts'
import { methods } from './method.ts'
import type { Fields } from './traits.ts'

/**
 * Whether a channel can be called without asking the payer: it may want more than its method. Of a card's holder the interface
 * requires everything.
 */
export function knowsPayer({ method, traits }: Channel, fields: Fields): boolean {
  if (method === 'card') return true
  const own: readonly { readonly name: string }[] = methods[method].asks
  const known = knownOf(fields)
  return traits.asks.every(({ name }) => own.some((one) => one.name === name) || !isEmpty(known[name]))
}

/** The fields, and those that say the same under another name: nobody is asked twice. */
export function knownOf(fields: Fields): Fields {
  const name = fullNameOf(fields)
  return { ...fields, ...emailsOf(fields), ...(name !== undefined && { name }) }
}

/** Uses one e-mail address for both e-mail fields. */
export function emailsOf(fields: Fields): Fields {
  const [email] = [fields.email, fields.billingEmail].filter((value) => !isEmpty(value))
  if (email === undefined) return {}
  return {
    email: isEmpty(fields.email) ? email : fields.email,
    billingEmail: isEmpty(fields.billingEmail) ? email : fields.billingEmail,
  }
}

/** From the names of the bill if there is no other. */
export function fullNameOf({ name, billingFirstName, billingLastName }: Fields): string | undefined {
  if (typeof name === 'string' && name !== '') return name
  const parts = [billingFirstName, billingLastName].filter((part) => typeof part === 'string' && part !== '')
  return parts.length > 0 ? parts.join(' ') : undefined
}

export function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}
