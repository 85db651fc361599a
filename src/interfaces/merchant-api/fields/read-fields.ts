// Validates requests. The field tables define the checks: first types (99996), then required fields (10002), then
// restrictions (99997). Each check follows the order of the table. Types are checked before the caller is known. A
// message names the field and the broken rule, but never the field's value. Only names in the tables are read from a
// body. Therefore `__proto__` is treated like any other unknown field.
import { isDeepStrictEqual } from 'node:util'
import { type Fields, isObject } from '../../../platform/base/object.ts'
import { assert, Refusal } from '../../../platform/errors/catalogue.ts'
import type { Field, Table } from './field.ts'
import { type FieldValue, fieldsOf, type ReadValues } from './field-values.ts'
import { type RuleContext, rules } from './rules.ts'

export type Body = Fields

export function isEmpty(value: unknown): value is '' | null | undefined {
  return value === undefined || value === null || value === ''
}

const places = new WeakMap<Table, ReadonlyMap<string, number>>()

export function placesOf(table: Table): ReadonlyMap<string, number> {
  const known = places.get(table)
  if (known !== undefined) return known
  const made = new Map(table.map(({ name }, place) => [name, place] as const))
  places.set(table, made)
  return made
}

export function fieldNamed(name: string, table: Table): Field | undefined {
  return table[placesOf(table).get(name) ?? -1]
}

export function checkTypes(table: Table, body: Body, prefix = ''): void {
  for (const field of table) {
    checkType(field, body[field.name], prefix, field.name)
    if (field.aliases === undefined) continue
    for (const alias of field.aliases) checkType(field, body[alias], prefix, alias)
  }
}

function checkType(field: Field, value: unknown, prefix: string, name: string): void {
  if (isEmpty(value)) return
  if (!hasType(field, value)) throw new Refusal('99996', `${prefix}${name} must be ${typeWords[field.type]}`)
  if (field.fields !== undefined && isObject(value)) checkTypes(field.fields, value, `${prefix}${name}.`)
  if (field.of !== undefined && Array.isArray(value))
    checkElementTypes(field.of, value, field.maxLength, prefix + name)
}

/** Checks the types of a list's elements, up to the maximum length. A longer list is refused in a later check. */
function checkElementTypes(
  of: Field,
  values: readonly unknown[],
  most: number | undefined,
  path: string,
): void {
  let index = 0
  for (const value of values) {
    if (index === most) return
    // Null is an empty field, but not a valid element.
    if (value === null) throw new Refusal('99996', `${path}[${index}] must be ${typeWords[of.type]}`)
    checkType(of, value, path, `[${index}]`)
    index++
  }
}

const typeWords = {
  text: 'a string',
  integer: 'an integer',
  boolean: 'true or false',
  merNo: 'an integer or a string of digits',
  object: 'an object',
  list: 'a list',
} as const

function hasType(field: Field, value: unknown): boolean {
  switch (field.type) {
    case 'text':
      return typeof value === 'string'
    case 'integer':
      return Number.isSafeInteger(value)
    case 'boolean':
      return typeof value === 'boolean'
    case 'merNo':
      return typeof value === 'string' ? /^\d+$/.test(value) : Number.isSafeInteger(value)
    case 'object':
      return isObject(value)
    case 'list':
      return Array.isArray(value)
  }
}

/** Returns the value under the field's name or under an alias. Refuses the request if several values differ. */
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

/** Reads the fields of a body. The types must already be checked. */
export function readFields(table: Table, body: Body, context: RuleContext): ReadValues {
  return readTable(table, checkRequired(table, body, ''), context, '')
}

function checkRequired(table: Table, body: Body, prefix: string): unknown[] {
  const values: unknown[] = new Array(table.length)
  let place = 0
  for (const field of table) {
    const value = valueIn(field, body)
    values[place++] = value
    if (field.required && isNothing(value)) throw new Refusal('10002', prefix + field.name)
    if (field.fields !== undefined && isObject(value))
      checkRequired(field.fields, value, `${prefix}${field.name}.`)
    if (field.of?.fields !== undefined && Array.isArray(value))
      checkRequiredIn(field.of.fields, value, prefix + field.name)
  }
  return values
}

function isNothing(value: unknown): boolean {
  return isEmpty(value) || (Array.isArray(value) && value.length === 0)
}

function checkRequiredIn(table: Table, elements: readonly unknown[], path: string): void {
  let index = 0
  for (const element of elements) {
    if (isObject(element)) checkRequired(table, element, `${path}[${index}].`)
    index++
  }
}

function readTable(
  table: Table,
  values: readonly unknown[],
  context: RuleContext,
  prefix: string,
): ReadValues {
  return table.map((field, place) => {
    const value = values[place]
    return isEmpty(value) ? field.defaultValue : readValue(field, value, context, prefix, field.name)
  })
}

/** Reads one value. In messages, `prefix` and `name` together are the path of the value. */
function readValue(
  field: Field,
  value: unknown,
  context: RuleContext,
  prefix: string,
  name: string,
): FieldValue {
  if (typeof value === 'string') {
    if (field.type === 'merNo') return Number(value)
    const broken = brokenRule(field, value, context)
    if (broken !== undefined) throw breaks(prefix + name, broken)
    return value
  }
  if (typeof value === 'number' || typeof value === 'boolean') return value
  if (Array.isArray(value)) return readList(field, value, context, prefix + name)
  if (isObject(value)) return readObject(field, value, context, prefix + name)
  throw new Error(`broken invariant: the type of ${prefix}${name} was checked`)
}

const NO_FIELDS: Table = []

function readObject(field: Field, value: Body, context: RuleContext, path: string): FieldValue {
  const { fields: table = NO_FIELDS } = field
  if (field.closed && !Object.keys(value).every((name) => table.some((known) => known.name === name)))
    throw breaks(path, `must hold nothing but ${table.map(({ name }) => name).join(', ')}`)
  const values = table.map((known) => valueIn(known, value))
  return fieldsOf(table, readTable(table, values, context, `${path}.`))
}

function brokenRule(field: Field, value: string, context: RuleContext): string | undefined {
  const broken = brokenText(value, field.maxLength ?? Number.POSITIVE_INFINITY)
  if (broken !== undefined) return broken
  const ruled = field.rule === undefined ? undefined : rules[field.rule](value, context)
  if (ruled !== undefined) return ruled
  if (field.oneOf === undefined || field.oneOf.includes(value)) return undefined
  return `must be one of ${field.oneOf.join(', ')}`
}

function readList(field: Field, values: readonly unknown[], context: RuleContext, path: string): FieldValue {
  if (field.maxLength !== undefined && values.length > field.maxLength)
    throw breaks(path, `must have at most ${field.maxLength} elements`)
  const { of } = field
  assert(of !== undefined, 'a list says what it holds')
  return values.map((value, index) => readValue(of, value, context, path, `[${index}]`))
}

const unprintable = /[\p{Cc}\p{Cs}]/u

/** Returns the rule that a text breaks. Undefined if it breaks none. Lengths are counted in code points. */
export function brokenText(value: string, maxLength: number): string | undefined {
  const isPlain = isPlainAscii(value)
  if (!isPlain && unprintable.test(value)) return 'must not hold control characters or lone surrogates'
  if (value.length <= maxLength) return undefined
  const isShort = !isPlain && Array.from(value).length <= maxLength
  return isShort ? undefined : `must be at most ${maxLength} characters`
}

/**
 * True if all characters are printable ASCII. A loop is faster than a regular expression, because the texts are short.
 */
function isPlainAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x20 || code > 0x7e) return false
  }
  return true
}

export function breaks(name: string, rule: string): Refusal {
  return new Refusal('99997', `${name} ${rule}`)
}
