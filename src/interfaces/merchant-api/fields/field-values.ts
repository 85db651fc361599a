// The values of a request whose fields were read: by position in their table, by name, and by what may be stored.
import type { Field, Table } from './field.ts'

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

/** What may be stored as it is, and what only encrypted. Card data is in neither: it is never stored. */
export type Divided = { readonly plain: Fields; readonly personal: Fields }

/** A field, and its place among the values. */
type Placed = { readonly name: string; readonly place: number }

/** Leaves out the signature, and the fields that are named. */
export function splitBySecrecy(
  leftOut: readonly string[],
): (request: { readonly table: Table; readonly values: ReadValues }) => Divided {
  const parts = new WeakMap<Table, Record<keyof Divided, readonly Placed[]>>()
  const partsOf = (table: Table) => {
    const isStored = ({ name }: Field) => name !== 'sign' && !leftOut.includes(name)
    const made = {
      plain: fieldsIn(table, (field) => isStored(field) && field.secrecy === undefined),
      personal: fieldsIn(table, (field) => isStored(field) && field.secrecy === 'personal'),
    }
    parts.set(table, made)
    return made
  }
  return ({ table, values }) => {
    const { plain, personal } = parts.get(table) ?? partsOf(table)
    return { plain: pick(plain, values), personal: pick(personal, values) }
  }
}

function fieldsIn(table: Table, isIn: (field: Field) => boolean): readonly Placed[] {
  return table.flatMap((field, place) => (isIn(field) ? [{ name: field.name, place }] : []))
}

function pick(fields: readonly Placed[], values: ReadValues): Fields {
  const picked: Record<string, FieldValue> = {}
  for (const { name, place } of fields) {
    const value = values[place]
    if (value !== undefined) picked[name] = value
  }
  // V8 makes a hash table of an object that gets dozens of names one by one. A copy is none, and is written as JSON faster.
  return { ...picked }
}
