// The values of a request whose fields were read: by position in their table, or by name.
import type { Table } from './field.ts'

export type FieldValue = string | number | boolean | readonly FieldValue[] | Fields
/** Canonical names, present fields only. */
export type Fields = { readonly [name: string]: FieldValue }

/** What was read, in the order of its table; undefined where nothing came. */
export type ReadValues = readonly (FieldValue | undefined)[]

/** The same under their names. */
export function fieldsOf(table: Table, values: ReadValues): Fields {
  const fields: Record<string, FieldValue> = {}
  let place = 0
  for (const { name } of table) {
    const value = values[place++]
    if (value !== undefined) fields[name] = value
  }
  return fields
}

/** The text of a field that was read, '' when it was not sent. */
export function textOf(fields: Fields, name: string): string {
  const value = fields[name] ?? ''
  if (typeof value !== 'string') throw new Error(`broken invariant: ${name} is a text`)
  return value
}

/** The texts of a list that was read, none when it was not sent. */
export function textsOf(fields: Fields, name: string): readonly string[] {
  const values = fields[name] ?? []
  if (!Array.isArray(values)) throw new Error(`broken invariant: ${name} is a list`)
  return values.map((value) => {
    if (typeof value !== 'string') throw new Error(`broken invariant: ${name} holds texts`)
    return value
  })
}

/** The objects of a list that was read, none when it was not sent. */
export function objectsOf(fields: Fields, name: string): readonly Fields[] {
  const values = fields[name] ?? []
  if (!Array.isArray(values)) throw new Error(`broken invariant: ${name} is a list`)
  return values.map((value) => {
    if (!isFields(value)) throw new Error(`broken invariant: ${name} holds objects`)
    return value
  })
}

/** An object that was read; undefined when it was not sent. */
export function objectOf(fields: Fields, name: string): Fields | undefined {
  const value = fields[name]
  if (value === undefined) return undefined
  if (!isFields(value)) throw new Error(`broken invariant: ${name} is an object`)
  return value
}

function isFields(value: FieldValue): value is Fields {
  return typeof value === 'object' && !Array.isArray(value)
}
