// What of a request may be stored: as it is, or only encrypted. Card data is in neither: it is never stored.
import type { Field, Table } from './field.ts'
import type { Fields, FieldValue, ReadValues } from './field-values.ts'

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
