// The field names of the interface, derived from its tables, so that a new field or endpoint is included automatically.
import { type Endpoint, endpoints, tableOfNoChoice } from '../endpoints.ts'
import type { Field, Table } from './field.ts'

const all: readonly Endpoint[] = Object.values(endpoints)

function tablesOf(endpoint: Endpoint): readonly Table[] {
  return [...endpoint.choices.values()].map(({ table }) => table).concat([tableOfNoChoice(endpoint)])
}

function namesOf({ name, aliases = [] }: Field): readonly string[] {
  return [name, ...aliases]
}

const fields = all.flatMap(tablesOf).flat()
const choosing = all.flatMap(({ chosenBy }) => (chosenBy === undefined ? [] : [chosenBy.name]))

/** All names and aliases of all fields of all endpoints, including headers. */
export const interfaceNames: ReadonlySet<string> = new Set([...fields.flatMap(namesOf), ...choosing])

/** Fields that contain numbers of orders, refunds and accounts. */
export const identifierNames: ReadonlySet<string> = new Set(
  fields.filter(({ identifier }) => identifier).flatMap(namesOf),
)

const payoutNames: ReadonlySet<string> = namesIn('payout')

function namesIn(does: Endpoint['does']): ReadonlySet<string> {
  return new Set(
    all
      .filter((endpoint) => endpoint.does === does)
      .flatMap(tablesOf)
      .flat()
      .flatMap(namesOf),
  )
}

/** True for a field of other endpoints that payouts do not read. */
export function isForeignToPayouts(name: string): boolean {
  return interfaceNames.has(name) && !payoutNames.has(name)
}
