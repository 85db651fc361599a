// What a field of the interface is, as data. Validation, and later OpenAPI and the docs, are derived from these tables.
// The order of a table is the order in which its failures are reported.
import type { Method } from '../../channels/method.ts'

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

/** What a table says of a field; what it leaves out is undefined or false. */
export type Given = {
  readonly name: string
  readonly type: FieldType
  readonly required?: boolean
  /** Modes in which a required field may be missing, null or "". */
  readonly exempt?: readonly Mode[] | undefined
  /** Characters (code points) of a text, elements of a list. */
  readonly maxLength?: number | undefined
  readonly rule?: RuleName | undefined
  readonly oneOf?: readonly string[] | undefined
  /** What an empty field means. */
  readonly otherwise?: string | undefined
  /** Other spellings that are taken for it. */
  readonly aliases?: readonly string[] | undefined
  /** The number of an order, a refund or an account: nobody may be able to change it by reading a signed string differently. */
  readonly identifier?: boolean
  readonly secrecy?: Secrecy | undefined
  /** What an object holds; unknown names in it are ignored, unless it is closed. */
  readonly fields?: Table | undefined
  readonly closed?: boolean
  /** What each element of a list is. */
  readonly of?: Field | undefined
}

export type Field = Required<Given>

export type Table = readonly Field[]

/** The one place where fields are made: every request is held against dozens, and objects of one shape are read fastest. */
export function field(given: Given): Field {
  return {
    name: given.name,
    type: given.type,
    required: given.required ?? false,
    exempt: given.exempt,
    maxLength: given.maxLength,
    rule: given.rule,
    oneOf: given.oneOf,
    otherwise: given.otherwise,
    aliases: given.aliases,
    identifier: given.identifier ?? false,
    secrecy: given.secrecy,
    fields: given.fields,
    closed: given.closed ?? false,
    of: given.of,
  }
}

const DEFAULT_LENGTH = 255
const URL_LENGTH = 512

type More = Omit<Given, 'name' | 'type' | 'maxLength'>

export function text(name: string, maxLength = DEFAULT_LENGTH, more: More = {}): Field {
  return field({ name, type: 'text', maxLength, ...more })
}

export function requiredText(name: string, maxLength = DEFAULT_LENGTH, more: More = {}): Field {
  return text(name, maxLength, { required: true, ...more })
}

export function url(name: string, more: More = {}): Field {
  return text(name, URL_LENGTH, { rule: 'url', ...more })
}

export function integer(name: string, more: More = {}): Field {
  return field({ name, type: 'integer', ...more })
}

export function boolean(name: string): Field {
  return field({ name, type: 'boolean' })
}

export function textList(name: string, maxLength: number, of: More = {}): Field {
  const { identifier = false, ...element } = of
  return field({ name, type: 'list', maxLength, identifier, of: text('', DEFAULT_LENGTH, element) })
}

/** The same fields, those named made required. */
export function requiring(table: Table, ...names: readonly string[]): Table {
  return table.map((known) => (names.includes(known.name) ? field({ ...known, required: true }) : known))
}

export function optional(table: Table): Table {
  return table.map((known) => field({ ...known, required: false }))
}

/** One table out of two: a field that both name is taken from the second, in the first one's place. */
export function overlay(table: Table, more: Table): Table {
  const later = new Map(more.map((known) => [known.name, known]))
  const kept = table.map((known) => later.get(known.name) ?? known)
  const names = new Set(table.map(({ name }) => name))
  return [...kept, ...more.filter(({ name }) => !names.has(name))]
}

// Fields that every endpoint, or most, have alike.
export const merNo = field({ name: 'merNo', type: 'merNo', required: true })
export const merOrderNo = requiredText('merOrderNo', 32, { identifier: true })
export const tradeNo = text('tradeNo', 50, { identifier: true })
export const merRefundNo = text('merRefundNo', 32, { identifier: true })
/** No length of its own: a wrong signature is a signature error, however long it is. */
export const sign = field({ name: 'sign', type: 'text', required: true })
export const version = text('version', 6, { otherwise: 'V3.0.0' })

export const knownVersions: readonly string[] = ['V3.0.0', 'V3.0.1']
