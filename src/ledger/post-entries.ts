// Owns ledger_entries, and adds to balance_deltas. One entry is one transfer. Balances change in the same transaction, by new
// deltas: a booking waits for no other, and needs no lock unless it depends on a balance (lock-balances.ts).

import { makeId } from '../base/id.ts'
import type { Money } from '../base/money.ts'
import type { Statement, Tx } from '../postgres/db.ts'
import { int4, int8, listOf, text, time } from '../postgres/lists.ts'

/** Money that moves from one account of a merchant to another. */
export type Entry = {
  readonly merNo: number
  /** What it is for: a trade or refund number, or a name. With `step` it can be booked once only. */
  readonly subject: string
  readonly step: string
  readonly debit: string
  readonly credit: string
  readonly money: Money
  readonly at: Date
}

/** Posts all entries, except those of zero. */
export async function postEntries(tx: Tx, entries: readonly Entry[]): Promise<void> {
  await Promise.all(bookingOf(entries).map((statement) => tx.query(statement)))
}

/** The statements that post the entries; none if there is nothing to post. */
export function bookingOf(entries: readonly Entry[]): Statement[] {
  const real = entries.filter((entry) => entry.money.amount !== 0n)
  return real.length === 0 ? [] : [insertEntries(real), addToBalances(real)]
}

function insertEntries(entries: readonly Entry[]): Statement {
  return { name: 'ledger.insert-entries', text: insertEntriesText, values: entered.values(entries) }
}

const entered = listOf<Entry>({
  mer_no: int8((one) => one.merNo),
  subject: text((one) => one.subject),
  step: text((one) => one.step),
  debit: text((one) => one.debit),
  credit: text((one) => one.credit),
  currency: text((one) => one.money.currency),
  amount: int8((one) => one.money.amount),
  at: time((one) => one.at),
})

const insertEntriesText = `
  insert into ledger_entries (mer_no, subject, step, debit, credit, currency, amount, at)
  select mer_no, subject, step, debit, credit, currency, amount, at from ${entered.text}`

/** The debits and credits that entries add to an account. */
type Sides = { readonly account: string; debits: bigint; credits: bigint }

type Delta = Pick<Entry, 'merNo' | 'at'> & { readonly currency: string; readonly sides: Sides[] }

/** One delta for each merchant and currency. */
function addToBalances(entries: readonly Entry[]): Statement {
  const deltas = withPositions(deltasOf(entries))
  const sides = deltas.flatMap((delta) => delta.sides)
  return { name: 'balances.add', text: addText, values: [...listed.values(sides), ...added.values(deltas)] }
}

/** A merchant has few accounts: looking through them takes less than a key for each side. */
function deltasOf(entries: readonly Entry[]): Delta[] {
  const known = new Map<number, Delta[]>()
  for (const entry of entries) {
    const own = known.get(entry.merNo) ?? []
    if (own.length === 0) known.set(entry.merNo, own)
    const { sides } = deltaFor(own, entry)
    sidesOf(sides, entry.debit).debits += entry.money.amount
    sidesOf(sides, entry.credit).credits += entry.money.amount
  }
  return [...known.values()].flat()
}

function deltaFor(own: Delta[], { merNo, at, money: { currency } }: Entry): Delta {
  for (const delta of own) if (delta.currency === currency) return delta
  const delta = { merNo, at, currency, sides: [] }
  own.push(delta)
  return delta
}

function sidesOf(known: Sides[], account: string): Sides {
  for (const sides of known) if (sides.account === account) return sides
  const sides = { account, debits: 0n, credits: 0n }
  known.push(sides)
  return sides
}

type Positioned = Delta & { readonly first: number; readonly last: number }

/** The range of each delta's sides in the list of all sides, counted from 1 as in PostgreSQL. */
function withPositions(deltas: readonly Delta[]): Positioned[] {
  let last = 0
  return deltas.map((delta) => {
    const first = last + 1
    last += delta.sides.length
    return { ...delta, first, last }
  })
}

const listed = listOf<Sides>({
  account: text((one) => one.account),
  debits: int8((one) => one.debits),
  credits: int8((one) => one.credits),
})

const added = listOf<Positioned>(
  {
    mer_no: int8((one) => one.merNo),
    delta_id: text((one) => makeId('D', one.merNo, one.at)),
    currency: text((one) => one.currency),
    first: int4((one) => one.first),
    last: int4((one) => one.last),
  },
  4,
)

// Slicing the common lists is cheaper than parsing a list per delta from text, or building one here.
const addText = `
  insert into balance_deltas (mer_no, delta_id, currency, accounts, debits, credits)
  select
    mer_no, delta_id, currency, ($1::text[])[first:last], ($2::int8[])[first:last], ($3::int8[])[first:last]
  from ${added.text}`
