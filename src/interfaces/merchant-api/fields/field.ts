// The fields of the interface as data; validation is derived from these tables. Failures are reported in the order of the
// table.
import type { Method } from '../../channels/method.ts'

/** Only `merNo` may be an integer or a string of digits. */
export type FieldType = 'text' | 'integer' | 'boolean' | 'merNo' | 'object' | 'list'

/** Restrictions on a text beyond its length; see rules.ts. */
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

/** A method of /payment, or one of the two kinds of cashier order. */
export type Mode = Method | 'checkout' | 'checkout_payment'

/** `card` is never stored: it stays in memory for one call. `personal` is stored encrypted and masked in logs. */
export type Secrecy = 'card' | 'personal'

/** A field as a table writes it; missing properties are undefined or false. */
export type Given = {
  readonly name: string
  readonly type: FieldType
  readonly required?: boolean
  /** Modes in which a required field may be missing, null or "". */
  readonly exempt?: readonly Mode[] | undefined
  /** In code points of a text, or elements of a list. */
  readonly maxLength?: number | undefined
  readonly rule?: RuleName | undefined
  readonly oneOf?: readonly string[] | undefined
  /** The value of an empty field. */
  readonly defaultValue?: string | undefined
  /** Other accepted spellings of the name. */
  readonly aliases?: readonly string[] | undefined
  /** The number of an order, refund or account. An RSA string must not be readable with another value for it. */
  readonly identifier?: boolean
  readonly secrecy?: Secrecy | undefined
  /** The fields of an object. Unknown names are ignored, unless it is closed. */
  readonly fields?: Table | undefined
  readonly closed?: boolean
  /** The type of a list's elements. */
  readonly of?: Field | undefined
}

export type Field = Required<Given>

export type Table = readonly Field[]

/** Creates every field with the same shape: each request checks dozens of them, and V8 reads objects of one shape fastest. */
export function field(given: Given): Field {
  return {
    name: given.name,
    type: given.type,
    required: given.required ?? false,
    exempt: given.exempt,
    maxLength: given.maxLength,
    rule: given.rule,
    oneOf: given.oneOf,
    defaultValue: given.defaultValue,
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

/** The same table with the named fields required. */
export function requiring(table: Table, ...names: readonly string[]): Table {
  return table.map((known) => (names.includes(known.name) ? field({ ...known, required: true }) : known))
}

export function optional(table: Table): Table {
  return table.map((known) => field({ ...known, required: false }))
}

/** Merges two tables. A field of both is taken from the second, at its position in the first. */
export function overlay(table: Table, more: Table): Table {
  const later = new Map(more.map((known) => [known.name, known]))
  const merged = table.map((known) => later.get(known.name) ?? known)
  const names = new Set(table.map(({ name }) => name))
  return [...merged, ...more.filter(({ name }) => !names.has(name))]
}

// Fields that most endpoints share.
export const merNo = field({ name: 'merNo', type: 'merNo', required: true })
export const merOrderNo = requiredText('merOrderNo', 32, { identifier: true })
export const tradeNo = text('tradeNo', 50, { identifier: true })
export const merRefundNo = text('merRefundNo', 32, { identifier: true })
/** No maximum length: a wrong signature is a signature error, however long it is. */
export const sign = field({ name: 'sign', type: 'text', required: true })
export const version = text('version', 6, { defaultValue: 'V3.0.0' })

export const knownVersions: readonly string[] = ['V3.0.0', 'V3.0.1']
