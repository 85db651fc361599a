// What of a request may be stored: as it is, or only encrypted. Card data is in neither: it is never stored.
//
// Objects that hold the same names are copied from one that was made once. Put together name by name, each would take its
// room many times over before it is whole, and programs send the same names every time.
import { assert } from '../../errors/catalogue.ts'
import type { Field, Table } from './field.ts'
import type { Fields, FieldValue, ReadValues } from './read-fields.ts'

export type Divided = { readonly plain: Fields; readonly personal: Fields }

type Part = {
  readonly places: readonly number[]
  readonly names: readonly string[]
  /** By which of the names are there. */
  readonly moulds: Map<number, Fields>
}

const MOST_MOULDS = 500
/** As many bits as a number holds exactly. */
const MOST_NAMES = 53

/** Leaves out the signature, and what is named. */
export function divideBySecrecy(
  leftOut: readonly string[],
): (request: { readonly table: Table; readonly values: ReadValues }) => Divided {
  const parts = new WeakMap<Table, Record<keyof Divided, Part>>()
  const partsOf = (table: Table) => {
    const isKept = ({ name }: Field) => name !== 'sign' && !leftOut.includes(name)
    const made = {
      plain: partOf(table, (field) => isKept(field) && field.secrecy === undefined),
      personal: partOf(table, (field) => isKept(field) && field.secrecy === 'personal'),
    }
    parts.set(table, made)
    return made
  }
  return ({ table, values }) => {
    const { plain, personal } = parts.get(table) ?? partsOf(table)
    return { plain: take(plain, values), personal: take(personal, values) }
  }
}

function partOf(table: Table, isIn: (field: Field) => boolean): Part {
  const places = table.flatMap((field, place) => (isIn(field) ? [place] : []))
  const names = table.filter(isIn).map(({ name }) => name)
  assert(names.length <= MOST_NAMES, 'a number says which fields are there')
  return { places, names, moulds: new Map() }
}

function take({ places, names, moulds }: Part, values: ReadValues): Fields {
  let which = 0
  for (const place of places) which = which * 2 + (values[place] === undefined ? 0 : 1)
  const known = moulds.get(which)
  const taken: Record<string, FieldValue> = { ...known }
  let at = 0
  for (const name of names) {
    const value = values[places[at++] ?? -1]
    if (value !== undefined) taken[name] = value
  }
  if (known === undefined) keep(moulds, which, taken)
  return taken
}

/** Others choose which fields come: what is kept is bounded. */
function keep(moulds: Part['moulds'], which: number, taken: Fields): void {
  if (moulds.size >= MOST_MOULDS) moulds.clear()
  const empty = Object.fromEntries(Object.keys(taken).map((name) => [name, null]))
  // What the parser makes has all its room at once.
  moulds.set(which, JSON.parse(JSON.stringify(empty)))
}
