// The known data of a payer. Merchants may send the same data under different field names.
import type { Channel } from '../contract/channel.ts'
import { methods } from '../methods/methods.ts'
import type { Fields } from '../methods/traits.ts'

/**
 * True if the payer's fields contain everything that the channel needs beyond the fields of its method. Otherwise our
 * page must ask the payer. Always true for cards, because the API itself requires all data of the cardholder.
 */
export function knowsPayer({ method, traits }: Channel, fields: Fields): boolean {
  if (method === 'card') return true
  const own: readonly { readonly name: string }[] = methods[method].asks
  const known = knownOf(fields)
  return traits.asks.every(({ name }) => own.some((one) => one.name === name) || !isEmpty(known[name]))
}

/** Returns the fields with both e-mail fields and `name` filled, as far as `emailsOf` and `fullNameOf` find values. */
export function knownOf(fields: Fields): Fields {
  const name = fullNameOf(fields)
  return { ...fields, ...emailsOf(fields), ...(name !== undefined && { name }) }
}

/** Returns both e-mail fields. An empty field gets the address of the other field. Returns none if both are empty. */
export function emailsOf(fields: Fields): Fields {
  const [email] = [fields.email, fields.billingEmail].filter((value) => !isEmpty(value))
  if (email === undefined) return {}
  return {
    email: isEmpty(fields.email) ? email : fields.email,
    billingEmail: isEmpty(fields.billingEmail) ? email : fields.billingEmail,
  }
}

/** Returns `name`, or else the names of the billing address; undefined if all of them are empty. */
export function fullNameOf({ name, billingFirstName, billingLastName }: Fields): string | undefined {
  if (typeof name === 'string' && name !== '') return name
  const parts = [billingFirstName, billingLastName].filter((part) => typeof part === 'string' && part !== '')
  return parts.length > 0 ? parts.join(' ') : undefined
}

export function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}
