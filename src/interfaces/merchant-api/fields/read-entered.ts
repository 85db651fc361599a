// Checks what a payer types on our pages by the same field tables as merchants' requests.

import type { Method } from '../../channels/method.ts'
import { Refusal } from '../../errors/catalogue.ts'
import type { FieldValue } from './field-values.ts'
import { paymentFields } from './payment-fields.ts'
import { brokenText, readFields } from './read-fields.ts'

/** The rules that apply here depend neither on the mode nor on the currency. */
const context = { mode: 'live', currency: '' } as const

/** The value in the form that merchants send; undefined when it breaks a rule. The text must not be empty. */
export function readEntered(
  method: Method,
  asked: { readonly name: string; readonly maxLength: number },
  text: string,
): { readonly value: FieldValue } | undefined {
  if (brokenText(text, asked.maxLength) !== undefined) return undefined
  const field = paymentFields(method).find(({ name }) => name === asked.name)
  if (field === undefined) return { value: text }
  if (field.type === 'integer') return /^\d{1,9}$/.test(text) ? { value: Number(text) } : undefined
  try {
    readFields([field], { [field.name]: text }, context)
    return { value: text }
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}
