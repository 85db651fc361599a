// The body of a request from the form. Text that does not fit the type of its field is sent as it is: the gateway's own
// refusal explains it best.
import type { Field, Table } from '../../merchant-api/fields/field.ts'
import type { Form } from '../../pages/form.ts'
import { FIELD } from './form.ts'

export type Body = Readonly<Record<string, unknown>>

export function bodyOf(table: Table, form: Form): Body {
  const entries = table.flatMap((field) => {
    const text = form[FIELD + field.name] ?? ''
    return text === '' ? [] : [[field.name, fieldValue(field, text)]]
  })
  return Object.fromEntries(entries)
}

/** try-it.js does the same, to sign the same body. */
function fieldValue({ type }: Pick<Field, 'type'>, text: string): unknown {
  switch (type) {
    case 'text':
      return text
    case 'integer':
    case 'merNo':
      return /^-?\d{1,15}$/.test(text) ? Number(text) : text
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text
    case 'object':
    case 'list':
      return parsed(text)
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
