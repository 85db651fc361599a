// What of a request may be stored: as it is, or only encrypted. Card data is in neither: it is never stored.
import type { Field, Table } from './field.ts'
import type { Fields, FieldValue, ReadValues } from './read-fields.ts'

export type Divided = { readonly plain: Fields; readonly personal: Fields }

/** For these names: makes an object of the values, which stand in the same order. Undefined ones are left out. */
export type MakeObjects = (names: readonly string[]) => (values: ReadValues) => Fields

/** Name by name: the plain way. */
export const objectsByName: MakeObjects = (names) => (values) => {
  const made: Record<string, FieldValue> = {}
  let place = 0
  for (const name of names) {
    const value = values[place++]
    if (value !== undefined) made[name] = value
  }
  return made
}

type Pick = (values: ReadValues) => Fields

/** Leaves out the signature, and the fields that are named. */
export function divideBySecrecy(
  leftOut: readonly string[],
  makeObjects = objectsByName,
): (request: { readonly table: Table; readonly values: ReadValues }) => Divided {
  const picks = new WeakMap<Table, Record<keyof Divided, Pick>>()
  const picksOf = (table: Table) => {
    const isStored = ({ name }: Field) => name !== 'sign' && !leftOut.includes(name)
    const made = {
      plain: pick(table, (field) => isStored(field) && field.secrecy === undefined, makeObjects),
      personal: pick(table, (field) => isStored(field) && field.secrecy === 'personal', makeObjects),
    }
    picks.set(table, made)
    return made
  }
  return ({ table, values }) => {
    const { plain, personal } = picks.get(table) ?? picksOf(table)
    return { plain: plain(values), personal: personal(values) }
  }
}

function pick(table: Table, isIn: (field: Field) => boolean, makeObjects: MakeObjects): Pick {
  const places = table.flatMap((field, place) => (isIn(field) ? [place] : []))
  const make = makeObjects(table.filter(isIn).map(({ name }) => name))
  return (values) => make(places.map((place) => values[place]))
}
