// The validator's first half: every known field has its type (99996). It comes before anything is known of the caller.

import { type Fields, isObject } from '../../base/object.ts'
import { Refusal } from '../../errors/catalogue.ts'
import type { Field, Table } from './field.ts'

export type Body = Fields

export function isEmpty(value: unknown): value is '' | null | undefined {
  return value === undefined || value === null || value === ''
}

const places = new WeakMap<Table, ReadonlyMap<string, number>>()

/** Where each field stands in its table. */
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

/** Every known field that is present has its type, under whichever of its names it came. */
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

/** A list beyond its bound is refused for its length, so the elements beyond it are nobody's work. */
function checkElementTypes(
  of: Field,
  values: readonly unknown[],
  most: number | undefined,
  path: string,
): void {
  let index = 0
  for (const value of values) {
    if (index === most) return
    // Null is an empty field, but no element.
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
