// Owns balance_sums and balance_deltas; a balance is the sum of both, and the view `balances` adds them up. Every booking
// adds a delta in the transaction that writes its entries; only folding changes a sum. Lock order: sums by (mer_no, account,
// currency). Only folding locks deltas.

import { makeId } from '../base/id.ts'
import type { Db, Statement } from '../postgres/db.ts'
import { int4, int8, listOf, text } from '../postgres/lists.ts'
import { foldValues, inScope, type Scope } from './fold.ts'
import type { Transfer } from './transfer.ts'

/** The debits and credits that entries add to an account. */
type Sides = { readonly account: string; debits: bigint; credits: bigint }

type Delta = Pick<Transfer, 'merNo' | 'at'> & { readonly currency: string; readonly sides: Sides[] }

/** One delta for each merchant and currency. */
export function addToBalances(entries: readonly Transfer[]): Statement {
  const deltas = withPositions(deltasOf(entries))
  const sides = deltas.flatMap((delta) => delta.sides)
  return { name: 'balances.add', text: addText, values: [...listed.values(sides), ...added.values(deltas)] }
}

/** A merchant has few accounts: looking through them takes less than a key for each side. */
function deltasOf(entries: readonly Transfer[]): Delta[] {
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

function deltaFor(own: Delta[], { merNo, at, money: { currency } }: Transfer): Delta {
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

/** Folds waiting deltas into the sums and returns their number. Readers see the same balances before, during and after. */
export async function foldBalances(db: Db, limit: number, scope?: Scope): Promise<number> {
  const values = foldValues(limit, scope)
  const [row] = await db.query<{ folded: bigint }>({ name: 'balances.fold', text: foldText, values })
  return Number(row?.folded ?? 0)
}

// In key order, as decisions lock them (lock-balances.ts): no deadlock.
const foldText = `
  with taken as (
    delete from balance_deltas where (mer_no, delta_id) in (
      select mer_no, delta_id from balance_deltas where ${inScope}
      order by mer_no, delta_id limit $1 for update skip locked)
    returning mer_no, currency, accounts, debits, credits
  ), sides as (
    select mer_no, unnest(accounts) as account, currency, unnest(debits) as debits, unnest(credits) as credits
    from taken
  ), folded as (
    insert into balance_sums as b (mer_no, account, currency, debits, credits)
    select mer_no, account, currency, sum(debits), sum(credits) from sides
    group by mer_no, account, currency
    order by mer_no, account, currency
    on conflict (mer_no, account, currency)
    do update set debits = b.debits + excluded.debits, credits = b.credits + excluded.credits
  )
  select count(*) as folded from taken`
