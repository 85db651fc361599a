// Objects of many fields, copied from a template: an object that has the same names. The plain way is `objectsByName` in
// ../split-by-secrecy.ts. It makes V8 turn an object of dozens of fields into a hash table, which takes longer to make, to
// collect and to write as JSON. What this saves: docs/performance.md, "What each fast path saves".
import { assert } from '../../../errors/catalogue.ts'
import type { Fields, FieldValue } from '../read-fields.ts'
import type { MakeObjects } from '../split-by-secrecy.ts'

/** Merchants choose which fields they send, so the number of templates is bounded. */
const MOST_TEMPLATES = 500
/** A number tells which fields are there, and holds this many bits exactly. */
const MOST_NAMES = 53

export const objectsByTemplate: MakeObjects = (names) => {
  assert(names.length <= MOST_NAMES, 'a number tells which fields are there')
  const templates = new Map<number, Fields>()
  return (values) => {
    let present = 0
    for (const value of values) present = present * 2 + (value === undefined ? 0 : 1)
    const template = templates.get(present)
    const made: Record<string, FieldValue> = { ...template }
    let place = 0
    for (const name of names) {
      const value = values[place++]
      if (value !== undefined) made[name] = value
    }
    if (template === undefined) {
      if (templates.size >= MOST_TEMPLATES) templates.clear()
      templates.set(present, templateOf(made))
    }
    return made
  }
}

/** The JSON parser makes an object that is no hash table. */
function templateOf(made: Fields): Fields {
  return JSON.parse(JSON.stringify(Object.fromEntries(Object.keys(made).map((name) => [name, null]))))
}
