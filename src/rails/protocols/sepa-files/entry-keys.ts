// Which booking each incoming entry of a file is.
//
// Invariant: a booking has one key in every file. It is the account and the bank's reference; the further bookings that a bank
// makes under one reference have a number too. A file lists a booking once, so two of its entries are two bookings, however much
// they look alike. An entry is the booking that is known by its content, then by the payment that it names, then by its amount:
// a statement may lack the details of a notification. If all known bookings are taken by others of the file, it is a new one.
import type { RecordBody } from '../store.ts'
import type { Entry, Statement } from './camt.ts'
import { type CreditDeps, entryKey, findPayment, isCountedAs, isNamedIn, partsOf } from './credits.ts'

export type BookedEntry = { readonly entry: Entry; readonly position: number }

type Known = { readonly key: string; readonly body: RecordBody }
type Wanted = BookedEntry & { readonly references: readonly (string | undefined)[] }

/** By position; undefined as in `entryKey`. Debits are not numbered: what they settle has a reference of its own. */
export async function keysOf(
  deps: CreditDeps,
  statement: Statement,
  booked: readonly BookedEntry[],
): Promise<ReadonlyMap<number, string | undefined>> {
  const keys = new Map(
    booked.map(({ entry, position }) => [position, entryKey(statement, entry, position)] as const),
  )
  const credits = booked.filter(({ entry }) => entry.isCredit)
  for (const [key, entries] of Map.groupBy(credits, ({ position }) => keys.get(position)))
    if (key !== undefined)
      for (const [position, own] of await tellApart(deps, key, entries)) keys.set(position, own)
  return keys
}

async function tellApart(
  deps: CreditDeps,
  first: string,
  entries: readonly BookedEntry[],
): Promise<ReadonlyMap<number, string>> {
  const known = await listKnown(deps, first)
  const keys = new Map<number, string>()
  // Nearly always.
  if (known.length < 2 && entries.length === 1) return keys
  const free = new Set(known)
  const open = new Set<Wanted>()
  for (const one of entries) open.add({ ...one, references: await referencesIn(deps, one.entry) })
  for (const isIt of [hasSameContent, namesTheSame, mayBe])
    for (const wanted of open) {
      const found = free.values().find((one) => isIt(one, wanted))
      if (found === undefined) continue
      keys.set(wanted.position, found.key)
      free.delete(found)
      open.delete(wanted)
    }
  // A known booking that no entry is leaves it open which of them is new: an operator must look.
  let count = known.length
  for (const { position } of open) if (free.size === 0) keys.set(position, numbered(first, ++count))
  return keys
}

async function listKnown({ store }: CreditDeps, first: string): Promise<Known[]> {
  const known: Known[] = []
  for (;;) {
    const key = numbered(first, known.length + 1)
    const body = (await store.find({ kind: 'entry', key }))?.body
    if (body === undefined) return known
    known.push({ key, body })
  }
}

function numbered(first: string, number: number): string {
  return number === 1 ? first : `${first} #${number}`
}

async function referencesIn(deps: CreditDeps, entry: Entry): Promise<(string | undefined)[]> {
  const found: (string | undefined)[] = []
  for (const { part } of partsOf(entry)) found.push(await findPayment(deps, part))
  return found
}

function hasSameContent({ body }: Known, { entry }: Wanted): boolean {
  return body.print === entry.fingerprint
}

function namesTheSame({ body }: Known, { entry, references }: Wanted): boolean {
  return isCountedAs(body, entry.money) && isNamedIn(body, references)
}

/** What is known of either has no other name. */
function mayBe({ key, body }: Known, { entry, references }: Wanted): boolean {
  return (
    isCountedAs(body, entry.money) && (isNamedIn(body, [key]) || references.every((one) => one === undefined))
  )
}
