// Owns bookings, and adds to balance_deltas. A booking is one row with a list of entries, its legs. The view
// ledger_entries has one row per entry. Each booking adds its own deltas in the same transaction, so no booking waits
// for another one. Only a booking that depends on a balance needs a lock (lock-balances.ts). See
// docs/decisions/0008-ledger-key.md and docs/decisions/0335-one-row-per-booking.md.

import { makeId } from '../../platform/base/id.ts'
import type { Money } from '../../platform/base/money.ts'
import { assert } from '../../platform/errors/catalogue.ts'
import type { Statement, Tx } from '../../platform/postgres/db.ts'
import {
  int4,
  int8,
  listOf,
  type Positioned,
  text,
  time,
  withPositions,
} from '../../platform/postgres/lists.ts'

/** Money that moves from one account of a merchant to another. */
export type Entry = {
  readonly merNo: number
  /** The subject of the entry: a trade or refund number, or a name. A subject can have each booking name only once. */
  readonly subject: string
  readonly step: string
  /** The name of the booking, by default the entry's step. The name must not depend on which entries are zero. */
  readonly booking?: string
  readonly debit: string
  readonly credit: string
  readonly money: Money
  readonly at: Date
}

/**
 * Posts all entries except entries of zero. Entries of one subject must follow each other in the list. Otherwise one
 * booking would become two rows, and the second row would be refused.
 */
export async function postEntries(tx: Tx, entries: readonly Entry[]): Promise<void> {
  await Promise.all(bookingOf(entries).map((statement) => tx.query(statement)))
}

/** Returns the statements that post the entries. The list is empty if there is nothing to post. */
export function bookingOf(entries: readonly Entry[]): Statement[] {
  const real = entries.filter((entry) => entry.money.amount !== 0n)
  return real.length === 0 ? [] : [insertBookings(real), addToBalances(real)]
}

type Booking = Pick<Entry, 'merNo' | 'subject' | 'at'> & {
  readonly step: string
  readonly currency: string
  readonly legs: Entry[]
}

function insertBookings(entries: readonly Entry[]): Statement {
  const { forms, formed } = withForms(withPositions(bookingsOf(entries), ({ legs }) => legs.length))
  return {
    name: 'ledger.insert-bookings',
    text: insertBookingsText,
    values: [
      ...formsListed.values(forms),
      ...amountsListed.values(formed.flatMap(({ legs }) => legs)),
      ...booked.values(formed),
    ],
  }
}

function bookingsOf(entries: readonly Entry[]): Booking[] {
  const bookings: Booking[] = []
  for (const entry of entries) {
    // A check constraint for this rule would be slow, because the table stores lists.
    assert(entry.debit !== entry.credit, 'an entry is between two accounts')
    bookingFor(bookings, entry).legs.push(entry)
  }
  return bookings
}

/** Finds the booking of an entry, or adds one. Only the last bookings can have the same subject, and they are few. */
function bookingFor(
  bookings: Booking[],
  { merNo, subject, step, booking = step, money, at }: Entry,
): Booking {
  for (let index = bookings.length - 1; index >= 0; index--) {
    const known = bookings[index]
    if (known === undefined || known.subject !== subject || known.merNo !== merNo) break
    if (known.step === booking && known.currency === money.currency && Number(known.at) === Number(at))
      return known
  }
  const made = { merNo, subject, step: booking, currency: money.currency, at, legs: [] }
  bookings.push(made)
  return made
}

type Formed = Positioned<Booking> & { readonly formFirst: number; readonly formLast: number }

/**
 * Collects the distinct forms of the bookings. The form of a booking is its list of steps and accounts. Most bookings
 * of a batch have the same form, so each form is sent only once. `forms` has the legs of all forms, one after another.
 * `formFirst` and `formLast` are the first and last position of a booking's form in `forms`, counted from 1.
 */
function withForms(bookings: readonly Positioned<Booking>[]): { forms: Entry[]; formed: Formed[] } {
  const forms: Entry[] = []
  const known: Formed[] = []
  const formed = bookings.map((booking) => {
    const same = known.find((other) => haveSameForm(other.legs, booking.legs))
    if (same !== undefined) return { ...booking, formFirst: same.formFirst, formLast: same.formLast }
    const own = { ...booking, formFirst: forms.length + 1, formLast: forms.length + booking.legs.length }
    forms.push(...booking.legs)
    known.push(own)
    return own
  })
  return { forms, formed }
}

function haveSameForm(legs: readonly Entry[], others: readonly Entry[]): boolean {
  if (legs.length !== others.length) return false
  return legs.every(({ step, debit, credit }, at) => {
    const other = others[at]
    return other?.step === step && other.debit === debit && other.credit === credit
  })
}

type Sides = { readonly merNo: number; debits: bigint; credits: bigint }

type Delta = {
  readonly account: string
  readonly currency: string
  readonly at: Date
  // The map has each merchant once. A delta is stored as parallel arrays, and `balancesOfOne` reads only the first
  // element of a merchant in them, so a second element would be lost.
  readonly sides: Map<number, Sides>
}

/** Adds one delta for each account and currency, whatever the number of merchants. */
function addToBalances(entries: readonly Entry[]): Statement {
  const deltas = withPositions(deltasOf(entries), ({ sides }) => sides.size)
  const sides = deltas.flatMap((delta) => [...delta.sides.values()])
  return { name: 'balances.add', text: addText, values: [...listed.values(sides), ...added.values(deltas)] }
}

function deltasOf(entries: readonly Entry[]): Delta[] {
  const deltas: Delta[] = []
  for (const entry of entries) {
    sidesOf(deltas, entry.debit, entry).debits += entry.money.amount
    sidesOf(deltas, entry.credit, entry).credits += entry.money.amount
  }
  return deltas
}

function sidesOf(deltas: Delta[], account: string, entry: Entry): Sides {
  const { sides } = deltaFor(deltas, account, entry)
  const known = sides.get(entry.merNo)
  if (known !== undefined) return known
  const made = { merNo: entry.merNo, debits: 0n, credits: 0n }
  sides.set(entry.merNo, made)
  return made
}

// Finds the delta of an account and currency, or adds a new one. A batch has few accounts, so a linear search is
// cheaper than building a key for each entry.
function deltaFor(deltas: Delta[], account: string, { at, money: { currency } }: Entry): Delta {
  for (const delta of deltas) if (delta.account === account && delta.currency === currency) return delta
  const made = { account, currency, at, sides: new Map() }
  deltas.push(made)
  return made
}

const formsListed = listOf<Entry>({
  steps: text((one) => one.step),
  debited: text((one) => one.debit),
  credited: text((one) => one.credit),
})

const amountsListed = listOf<Entry>({ amounts: int8((one) => one.money.amount) }, 4)

const booked = listOf<Formed>(
  {
    mer_no: int8((one) => one.merNo),
    subject: text((one) => one.subject),
    step: text((one) => one.step),
    currency: text((one) => one.currency),
    at: time((one) => one.at),
    form_first: int4((one) => one.formFirst),
    form_last: int4((one) => one.formLast),
    first: int4((one) => one.first),
    last: int4((one) => one.last),
  },
  5,
)

// The statement slices lists that all rows share. Separate lists for each row would cost more to build, send and parse.
const insertBookingsText = `
  insert into bookings (mer_no, subject, step, currency, at, steps, debited, credited, amounts)
  select
    mer_no, subject, step, currency, at,
    ($1::text[])[form_first:form_last], ($2::text[])[form_first:form_last], ($3::text[])[form_first:form_last],
    ($4::int8[])[first:last]
  from ${booked.text}`

const listed = listOf<Sides>({
  mer_nos: int8((one) => one.merNo),
  debits: int8((one) => one.debits),
  credits: int8((one) => one.credits),
})

const added = listOf<Positioned<Delta>>(
  {
    account: text((one) => one.account),
    delta_id: text((one) => makeId('D', 0, one.at)),
    currency: text((one) => one.currency),
    first: int4((one) => one.first),
    last: int4((one) => one.last),
  },
  4,
)

const addText = `
  insert into balance_deltas (account, delta_id, currency, mer_nos, debits, credits)
  select
    account, delta_id, currency, ($1::int8[])[first:last], ($2::int8[])[first:last], ($3::int8[])[first:last]
  from ${added.text}`
