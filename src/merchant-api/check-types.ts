// The validator's first half: every known field has its type (99996), and no value is nested deeper than it may be.
// It comes before anything is known of the caller.
import { Refusal } from '../base/error.ts'
import { type Fields, isObject } from '../base/object.ts'
import type { Field, Table } from './fields.ts'

export type Body = Fields

const MAX_DEPTH = 32

export function isEmpty(value: unknown): value is '' | null | undefined {
  return value === undefined || value === null || value === ''
}

/** Whatever walks the body later may recurse: no value lies deeper than this. */
export function checkDepth(body: Body): void {
  for (const name of Object.keys(body)) {
    if (isDeeperThan(MAX_DEPTH, body[name]))
      throw new Refusal('99997', `${name} is nested deeper than ${MAX_DEPTH} levels`)
  }
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  return Object.values(value).some((inner) => isDeeperThan(levels - 1, inner))
}

/** Every known field that is present has its type, under whichever of its names it came. */
export function checkTypes(table: Table, body: Body, prefix = ''): void {
  for (const field of table) {
    checkType(field, body[field.name], prefix, field.name)
    if (field.aliases === undefined) continue
    for (const alias of field.aliases) checkType(field, body[alias], prefix, alias)
  }
}

function checkType(field: Omit<Field, 'name'>, value: unknown, prefix: string, name: string): void {
  if (isEmpty(value)) return
  if (!hasType(field, value)) throw new Refusal('99996', `${prefix}${name} must be ${typeWords[field.type]}`)
  if (field.fields !== undefined && isObject(value)) checkTypes(field.fields, value, `${prefix}${name}.`)
  if (field.of !== undefined && Array.isArray(value)) checkElementTypes(field.of, value, prefix + name)
}

function checkElementTypes(of: Omit<Field, 'name'>, values: readonly unknown[], path: string): void {
  for (const [index, value] of values.entries()) {
    // Null is an empty field, but no element.
    if (value === null) throw new Refusal('99996', `${path}[${index}] must be ${typeWords[of.type]}`)
    checkType(of, value, path, `[${index}]`)
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

function hasType(field: Omit<Field, 'name'>, value: unknown): boolean {
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
