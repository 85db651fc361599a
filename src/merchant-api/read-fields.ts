// The validator's second half, derived from the field tables: what is required (10002), then restrictions (99997), each
// in the table's order. A message names the field and the rule that it broke, never its value.
// Names are only ever looked up from the tables, so a body's own `__proto__` is one more unknown field.
import { isDeepStrictEqual } from 'node:util'
import { Refusal } from '../base/error.ts'
import { isObject } from '../base/object.ts'
import { type Body, isEmpty } from './check-types.ts'
import type { Field, Table } from './fields.ts'
import { type RuleContext, rules } from './rules.ts'

export type FieldValue = string | number | boolean | readonly FieldValue[] | Fields
/** Canonical names, present fields only. */
export type Fields = { readonly [name: string]: FieldValue }

/** The value under the field's name, or else under an alias. */
export function valueIn(field: Field, body: Body): unknown {
  let found = body[field.name]
  if (field.aliases === undefined) return found
  for (const alias of field.aliases) {
    const other = body[alias]
    if (isEmpty(other)) continue
    if (!isEmpty(found) && !isDeepStrictEqual(found, other))
      throw breaks(field.name, `and ${alias} must not differ`)
    found = other
  }
  return found
}

/** Types hold already. */
export function readFields(table: Table, body: Body, context: RuleContext): Fields {
  checkRequired(table, body, '')
  return readTable(table, body, context, '')
}

function checkRequired(table: Table, body: Body, prefix: string): void {
  for (const field of table) {
    const value = valueIn(field, body)
    const nothing = isEmpty(value) || (Array.isArray(value) && value.length === 0)
    if (nothing && field.required === true) throw new Refusal('10002', prefix + field.name)
    if (field.fields !== undefined && isObject(value))
      checkRequired(field.fields, value, `${prefix}${field.name}.`)
    if (field.of?.fields !== undefined && Array.isArray(value))
      checkRequiredIn(field.of.fields, value, prefix + field.name)
  }
}

function checkRequiredIn(table: Table, values: readonly unknown[], path: string): void {
  for (const [index, value] of values.entries()) {
    if (isObject(value)) checkRequired(table, value, `${path}[${index}].`)
  }
}

function readTable(table: Table, body: Body, context: RuleContext, prefix: string): Fields {
  const fields: Record<string, FieldValue> = {}
  for (const field of table) {
    const value = valueIn(field, body)
    if (!isEmpty(value)) fields[field.name] = readValue(field, value, context, prefix + field.name)
    else if (field.otherwise !== undefined) fields[field.name] = field.otherwise
  }
  return fields
}

function readValue(
  field: Omit<Field, 'name'>,
  value: unknown,
  context: RuleContext,
  path: string,
): FieldValue {
  if (typeof value === 'string') return readText(field, value, context, path)
  if (typeof value === 'number' || typeof value === 'boolean') return value
  if (Array.isArray(value)) return readList(field, value, context, path)
  if (isObject(value)) return readObject(field, value, context, path)
  throw new Error(`broken promise: the type of ${path} was checked`)
}

function readObject(field: Omit<Field, 'name'>, value: Body, context: RuleContext, path: string): FieldValue {
  const known = (field.fields ?? []).map(({ name }) => name)
  if (field.closed === true && !Object.keys(value).every((name) => known.includes(name)))
    throw breaks(path, `must hold nothing but ${known.join(', ')}`)
  return readTable(field.fields ?? [], value, context, `${path}.`)
}

function readText(field: Omit<Field, 'name'>, value: string, context: RuleContext, path: string): FieldValue {
  if (field.type === 'merNo') return Number(value)
  const broken =
    brokenText(value, field.maxLength ?? Number.POSITIVE_INFINITY) ??
    (field.rule === undefined ? undefined : rules[field.rule](value, context)) ??
    (field.oneOf === undefined || field.oneOf.includes(value)
      ? undefined
      : `must be one of ${field.oneOf.join(', ')}`)
  if (broken !== undefined) throw breaks(path, broken)
  return value
}

function readList(
  field: Omit<Field, 'name'>,
  values: readonly unknown[],
  context: RuleContext,
  path: string,
): FieldValue {
  if (field.maxLength !== undefined && values.length > field.maxLength)
    throw breaks(path, `must have at most ${field.maxLength} elements`)
  const of = field.of ?? { type: 'text' }
  return values.map((value, index) => readValue(of, value, context, `${path}[${index}]`))
}

const plainAscii = /^[ -~]*$/
const unprintable = /[\p{Cc}\p{Cs}]/u

/** Lengths count code points. Most text is plain ASCII, where one look is enough. */
export function brokenText(value: string, maxLength: number): string | undefined {
  const isAscii = plainAscii.test(value)
  if (!isAscii && unprintable.test(value)) return 'must not hold control characters or lone surrogates'
  if (value.length <= maxLength) return undefined
  const isShort = !isAscii && Array.from(value).length <= maxLength
  return isShort ? undefined : `must be at most ${maxLength} characters`
}

export function breaks(name: string, rule: string): Refusal {
  return new Refusal('99997', `${name} ${rule}`)
}

/** The text of a field that was read, '' when it was not sent. */
export function textOf(fields: Fields, name: string): string {
  const value = fields[name] ?? ''
  if (typeof value !== 'string') throw new Error(`broken promise: ${name} is a text`)
  return value
}

/** The texts of a list that was read, none when it was not sent. */
export function textsOf(fields: Fields, name: string): readonly string[] {
  const values = fields[name] ?? []
  if (!Array.isArray(values)) throw new Error(`broken promise: ${name} is a list`)
  return values.map((value) => {
    if (typeof value !== 'string') throw new Error(`broken promise: ${name} holds texts`)
    return value
  })
}

/** The objects of a list that was read, none when it was not sent. */
export function objectsOf(fields: Fields, name: string): readonly Fields[] {
  const values = fields[name] ?? []
  if (!Array.isArray(values)) throw new Error(`broken promise: ${name} is a list`)
  return values.map((value) => {
    if (!isFields(value)) throw new Error(`broken promise: ${name} holds objects`)
    return value
  })
}

/** An object that was read; undefined when it was not sent. */
export function objectOf(fields: Fields, name: string): Fields | undefined {
  const value = fields[name]
  if (value === undefined) return undefined
  if (!isFields(value)) throw new Error(`broken promise: ${name} is an object`)
  return value
}

function isFields(value: FieldValue): value is Fields {
  return typeof value === 'object' && !Array.isArray(value)
}

const NONE: ReadonlySet<string> = new Set()

/** What may be stored as it is, and what only encrypted. Card data is in neither: it is never stored. */
export function divideBySecrecy(
  table: Table,
  fields: Fields,
  leftOut = NONE,
): { plain: Fields; personal: Fields } {
  const plain: Record<string, FieldValue> = {}
  const personal: Record<string, FieldValue> = {}
  for (const { name, secrecy } of table) {
    const value = fields[name]
    if (value === undefined || secrecy === 'card' || name === 'sign' || leftOut.has(name)) continue
    if (secrecy === 'personal') personal[name] = value
    else plain[name] = value
  }
  return { plain, personal }
}
