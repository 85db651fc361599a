// What a payer types on our pages, held to the rules for what merchants send: one table, two ways in.

import type { Method } from '../../channels/method.ts'
import { Refusal } from '../../errors/catalogue.ts'
import { paymentFields } from './payment-fields.ts'
import { brokenText, type FieldValue, readFields } from './read-fields.ts'

/** None of these rules looks at where we run or at the order's currency. */
const context = { mode: 'live', currency: '' } as const

/** The value as a merchant would have sent it; undefined when the text breaks a rule. The text is not empty. */
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
