// What a field of the interface is, as data. Validation, and later OpenAPI and the docs, are derived from these tables.
// The order of a table is the order in which its failures are reported.
import type { Method } from '../channels/method.ts'

/** `merNo` is the one value that may come as an integer or as a string of digits. */
export type FieldType = 'text' | 'integer' | 'boolean' | 'merNo' | 'object' | 'list'

/** Restrictions on text beyond its length; `rules.ts` holds what each asks for. */
export type RuleName =
  | 'amount'
  | 'url'
  | 'notifyUrl'
  | 'country'
  | 'ip'
  | 'email'
  | 'mobile'
  | 'cardNumber'
  | 'month'
  | 'year'
  | 'securityCode'
  | 'day'
  | 'dateTime'

/** Where a payment order may come from: a method of /payment, or one of the cashier's two ways. */
export type Mode = Method | 'checkout' | 'checkout_payment'

/** `card`: in memory for one call, never stored. `personal`: encrypted at rest, masked in logs. */
export type Secrecy = 'card' | 'personal'

export type Field = {
  readonly name: string
  readonly type: FieldType
  readonly required?: boolean
  /** Modes in which a required field may be missing, null or "". */
  readonly exempt?: readonly Mode[]
  /** Characters (code points) of a text, elements of a list. */
  readonly maxLength?: number
  readonly rule?: RuleName
  readonly oneOf?: readonly string[]
  /** What an empty field means. */
  readonly otherwise?: string
  /** Other spellings that are taken for it. */
  readonly aliases?: readonly string[]
  readonly secrecy?: Secrecy
  /** What an object holds; unknown names in it are ignored, unless it is closed. */
  readonly fields?: Table
  readonly closed?: true
  /** What each element of a list is. */
  readonly of?: Omit<Field, 'name'>
}

export type Table = readonly Field[]

const DEFAULT_LENGTH = 255
const URL_LENGTH = 512

type More = Omit<Field, 'name' | 'type' | 'maxLength'>

export function text(name: string, maxLength = DEFAULT_LENGTH, more: More = {}): Field {
  return { name, type: 'text', maxLength, ...more }
}

export function requiredText(name: string, maxLength = DEFAULT_LENGTH, more: More = {}): Field {
  return text(name, maxLength, { required: true, ...more })
}

export function url(name: string, more: More = {}): Field {
  return text(name, URL_LENGTH, { rule: 'url', ...more })
}

export function integer(name: string, more: More = {}): Field {
  return { name, type: 'integer', ...more }
}

export function boolean(name: string): Field {
  return { name, type: 'boolean' }
}

export function textList(name: string, maxLength: number, of: More = {}): Field {
  return { name, type: 'list', maxLength, of: { type: 'text', maxLength: DEFAULT_LENGTH, ...of } }
}

/** The same fields, those named made required. */
export function requiring(table: Table, ...names: readonly string[]): Table {
  return table.map((field) => (names.includes(field.name) ? { ...field, required: true } : field))
}

export function optional(table: Table): Table {
  return table.map((field) => ({ ...field, required: false }))
}

/** One table out of two: a field that both name is taken from the second, in the first one's place. */
export function overlay(table: Table, more: Table): Table {
  const later = new Map(more.map((field) => [field.name, field]))
  const kept = table.map((field) => later.get(field.name) ?? field)
  const names = new Set(table.map((field) => field.name))
  return [...kept, ...more.filter((field) => !names.has(field.name))]
}

// Fields that every endpoint, or most, have alike.
export const merNo: Field = { name: 'merNo', type: 'merNo', required: true }
export const merOrderNo = requiredText('merOrderNo', 32)
/** No length of its own: a wrong signature is a signature error, however long it is. */
export const sign: Field = { name: 'sign', type: 'text', required: true }
export const version = text('version', 6, { otherwise: 'V3.0.0' })

export const knownVersions: readonly string[] = ['V3.0.0', 'V3.0.1']
