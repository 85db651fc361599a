// The names that the interface reads, derived from its tables, so that a new field or endpoint is covered at once.
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

/** Every field of every endpoint, under each of its names, headers included. */
export const interfaceNames: ReadonlySet<string> = new Set([...fields.flatMap(namesOf), ...choosing])

/** Those that hold numbers of orders, refunds and accounts. */
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

/** Payments and queries read it, payouts do not. */
export function isForeignToPayouts(name: string): boolean {
  return interfaceNames.has(name) && !payoutNames.has(name)
}
