// Checks the payer's input on our pages with the same field tables as the requests of merchants.

import { Refusal } from '../../../platform/errors/catalogue.ts'
import type { Method } from '../../../rails/methods/methods.ts'
import type { FieldValue } from './field-values.ts'
import { brokenText, readFields } from './read-fields.ts'
import { paymentFields } from './request-fields.ts'

/** Rules use these values only for notification addresses and amounts. A payer never enters those. */
const context = { mayNotify: () => false, currency: '' } as const

/**
 * Returns the value in the form that merchants send. Undefined if the text breaks a rule. The text must not be empty.
 */
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
