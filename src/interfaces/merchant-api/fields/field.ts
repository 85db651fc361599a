// The fields of the interface as tables. The validation follows these tables: each check goes through a table in its
// order, and reports the first failure.
import type { Method } from '../../../rails/methods/methods.ts'

/** A `merNo` may be sent as an integer or as a string of digits. */
export type FieldType = 'text' | 'integer' | 'boolean' | 'merNo' | 'object' | 'list'

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

export type Mode = Method | 'checkout' | 'checkout_payment'

/**
 * A `card` field is never stored, and is used only in one call. A `personal` field is stored encrypted, and is masked
 * in logs.
 */
export type Secrecy = 'card' | 'personal'

export type Given = {
  readonly name: string
  readonly type: FieldType
  /** The purpose of the field, as a phrase. For the elements of a list, `meaning` and `name` are ''. */
  readonly meaning: string
  readonly required?: boolean
  /** The modes in which a required field may be missing, null or "". */
  readonly exempt?: readonly Mode[] | undefined
  /** The maximum length, for a text in code points, for a list in elements. */
  readonly maxLength?: number | undefined
  readonly rule?: RuleName | undefined
  readonly oneOf?: readonly string[] | undefined
  readonly defaultValue?: string | undefined
  readonly aliases?: readonly string[] | undefined
  /**
   * True for the number of an order, refund or account. In the string of an RSA signature, such a field must have only
   * one possible reading.
   */
  readonly identifier?: boolean
  readonly secrecy?: Secrecy | undefined
  /** The fields of an object. A `closed` object refuses unknown names. Other objects ignore unknown names. */
  readonly fields?: Table | undefined
  readonly closed?: boolean
  readonly of?: Field | undefined
}

export type Field = Required<Given>

export type Table = readonly Field[]

export function namesOf({ name, aliases = [] }: Field): readonly string[] {
  return [name, ...aliases]
}

/**
 * Makes a field. All fields have the same object shape, because each request is checked against dozens of fields, and
 * V8 reads objects of one shape fastest.
 */
export function field(given: Given): Field {
  return {
    name: given.name,
    type: given.type,
    meaning: given.meaning,
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

type More = Omit<Given, 'name' | 'type' | 'meaning' | 'maxLength'>

export function text(name: string, meaning: string, maxLength = DEFAULT_LENGTH, more: More = {}): Field {
  return field({ name, type: 'text', meaning, maxLength, ...more })
}

export function requiredText(
  name: string,
  meaning: string,
  maxLength = DEFAULT_LENGTH,
  more: More = {},
): Field {
  return text(name, meaning, maxLength, { required: true, ...more })
}

export function url(name: string, meaning: string, more: More = {}): Field {
  return text(name, meaning, URL_LENGTH, { rule: 'url', ...more })
}

export function integer(name: string, meaning: string, more: More = {}): Field {
  return field({ name, type: 'integer', meaning, ...more })
}

export function boolean(name: string, meaning: string): Field {
  return field({ name, type: 'boolean', meaning })
}

export function textList(name: string, meaning: string, maxLength: number, of: More = {}): Field {
  const { identifier = false, ...rest } = of
  const element = text('', '', DEFAULT_LENGTH, rest)
  return field({ name, type: 'list', meaning, maxLength, identifier, of: element })
}

export function requiring(table: Table, ...names: readonly string[]): Table {
  return table.map((known) => (names.includes(known.name) ? field({ ...known, required: true }) : known))
}

export function optional(table: Table): Table {
  return table.map((known) => field({ ...known, required: false }))
}

/**
 * Merges two tables. If both tables have a field, the result has the second table's field at the first table's
 * position.
 */
export function overlay(table: Table, more: Table): Table {
  const later = new Map(more.map((known) => [known.name, known]))
  const merged = table.map((known) => later.get(known.name) ?? known)
  const names = new Set(table.map(({ name }) => name))
  return [...merged, ...more.filter(({ name }) => !names.has(name))]
}

export const merNo = field({
  name: 'merNo',
  meaning: "The merchant's number at this gateway",
  type: 'merNo',
  required: true,
})
export const merOrderNo = requiredText(
  'merOrderNo',
  "The merchant's own number for the order; every order needs a new one",
  32,
  { identifier: true },
)
export const identity: Table = [
  requiredText(
    'customerIdentificationType',
    'The kind of document: 00 identity card, 01 foreigner card, 02 tax number, 03 passport',
    255,
    { oneOf: ['00', '01', '02', '03'] },
  ),
  requiredText('customerIdentification', 'The number of that document', 255, { secrecy: 'personal' }),
]
export const currencyCode = requiredText('currencyCode', 'The currency of the order, three letters', 3)
export const tradeNo = text('tradeNo', "The gateway's number for the order", 50, { identifier: true })
export const merRefundNo = text(
  'merRefundNo',
  "The merchant's own number for the refund; the same number never refunds twice",
  32,
  { identifier: true },
)
export const notifyUrl = url(
  'notifyUrl',
  'Where the gateway sends the result; without it there is no notification',
  { rule: 'notifyUrl' },
)
/**
 * The signature. No maximum length is checked, so that a wrong signature of any length is refused as a wrong signature.
 */
export const sign = field({
  name: 'sign',
  meaning: 'The signature of the request',
  type: 'text',
  required: true,
})
export const version = text('version', 'The version of the interface', 6, { defaultValue: 'V3.0.0' })
