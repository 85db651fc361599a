// Finds the booking of each entry of a file.
//
// Invariant: a booking with a bank reference has the same key in every file. The key consists of the account, the
// bank's reference and, from the second booking under the reference on, a number. A file lists a booking once, so two
// entries of a file are two bookings, even if they are equal. An entry is matched with a known booking by its content,
// then by its payment, then by its amount, because a statement may lack the details of a notification. An entry is new
// if all known bookings under its reference are matched with other entries.
import type { RecordBody } from '../../contract/store.ts'
import type { Entry, Statement } from './camt.ts'
import { type CreditDeps, entryKey, findPayment, isCountedAs, isNamedIn, partsOf } from './credits.ts'

type BookedEntry = { readonly entry: Entry; readonly position: number }

type Known = { readonly key: string; readonly body: RecordBody }
type Wanted = BookedEntry & { readonly references: readonly (string | undefined)[] }

/**
 * Returns the keys of the entries' bookings by the entries' positions. A key is undefined if `entryKey` returns
 * undefined. The keys of debits get no numbers, because debits are matched by the transfers that they settle.
 */
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
  // Usually there is only one booking under the reference, so its key has no number.
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
  // If a known booking was matched with no entry, nothing shows which of the unmatched entries are new. These entries
  // keep the first key, and an operator must look at them.
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

/**
 * True if the amounts are equal, and either the entry names no payment, or the known booking was counted as one
 * transfer without a payment.
 */
function mayBe({ key, body }: Known, { entry, references }: Wanted): boolean {
  return (
    isCountedAs(body, entry.money) && (isNamedIn(body, [key]) || references.every((one) => one === undefined))
  )
}
