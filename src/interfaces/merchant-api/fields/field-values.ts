// The values of a request after validation: in the order of the field table, by name, and divided by secrecy.
import type { Field, Table } from './field.ts'

export type FieldValue = string | number | boolean | readonly FieldValue[] | Fields
export type Fields = { readonly [name: string]: FieldValue }

/**
 * The values in the order of the table. If a field was not sent, its value is the default, or undefined if there is no
 * default.
 */
export type ReadValues = readonly (FieldValue | undefined)[]

export function fieldsOf(table: Table, values: ReadValues): Fields {
  const fields: Record<string, FieldValue> = {}
  let place = 0
  for (const { name } of table) {
    const value = values[place++]
    if (value !== undefined) fields[name] = value
  }
  return fields
}

/** Returns the text of a field, or '' if the field has no value. */
export function textOf(fields: Fields, name: string): string {
  const value = fields[name] ?? ''
  if (typeof value !== 'string') throw new Error(`broken invariant: ${name} is a text`)
  return value
}

export function textsOf(fields: Fields, name: string): readonly string[] {
  return elementsOf(fields, name, (value) => typeof value === 'string')
}

export function objectsOf(fields: Fields, name: string): readonly Fields[] {
  return elementsOf(fields, name, isFields)
}

function elementsOf<Element extends FieldValue>(
  fields: Fields,
  name: string,
  isElement: (value: FieldValue) => value is Element,
): readonly Element[] {
  const values = fields[name] ?? []
  if (!Array.isArray(values) || !values.every(isElement))
    throw new Error(`broken invariant: ${name} is a list of its elements`)
  return values
}

export function objectOf(fields: Fields, name: string): Fields | undefined {
  const value = fields[name]
  if (value === undefined) return undefined
  if (!isFields(value)) throw new Error(`broken invariant: ${name} is an object`)
  return value
}

function isFields(value: FieldValue): value is Fields {
  return typeof value === 'object' && !Array.isArray(value)
}

/**
 * The fields of a request, divided into two parts. Plain fields are stored as they are. Personal fields are stored
 * encrypted. Neither part contains card data, because card data must not be stored.
 */
export type Divided = { readonly plain: Fields; readonly personal: Fields }

type Placed = { readonly name: string; readonly place: number }

/**
 * Returns a function that divides the fields of a request. The function omits the signature and the fields in
 * `leftOut`.
 */
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
  // V8 turns an object into a hash table if dozens of names are added one by one. The copy is an ordinary object, which
  // is written as JSON faster.
  return { ...picked }
}
