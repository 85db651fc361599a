// Owns balance_sums; a balance is the sum of its row here and of the deltas that bookings add (post-entries.ts). The view
// `balances` adds them up, and `balancesOfOne` those of one merchant. Only folding changes a sum. Lock order: sums by (mer_no,
// account, currency). Only folding and splitting lock deltas.

import type { Db } from '../postgres/db.ts'
import { foldValues, inScope, isOfSeveral, type Scope } from './fold.ts'

/** Folds waiting deltas into the sums and returns their number. Readers see the same balances before, during and after. */
export async function foldBalances(db: Db, limit: number, scope?: Scope): Promise<number> {
  const values = foldValues(limit, scope)
  const [row] = await db.query<{ folded: bigint }>({ name: 'balances.fold', text: foldText, values })
  return Number(row?.folded ?? 0)
}

// In key order, as decisions lock them (lock-balances.ts): no deadlock.
const foldText = `
  with taken as (
    delete from balance_deltas where ctid = any (array(
      select ctid from balance_deltas where ${inScope}
      order by account, delta_id limit $1 for update skip locked))
    returning account, currency, mer_nos, debits, credits
  ), sides as (
    select unnest(mer_nos) as mer_no, account, currency, unnest(debits) as debits, unnest(credits) as credits
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

/** Gives every merchant rows of its own, so that its deltas can be folded apart from others. Returns how many were split. */
export async function splitBalances(db: Db, limit: number): Promise<number> {
  const [row] = await db.query<{ split: bigint }>({ text: splitText, values: [limit] })
  return Number(row?.split ?? 0)
}

const splitText = `
  with taken as (
    delete from balance_deltas where ctid = any (array(
      select ctid from balance_deltas where ${isOfSeveral} limit $1 for update skip locked))
    returning account, delta_id, currency, mer_nos, debits, credits
  ), made as (
    insert into balance_deltas (account, delta_id, currency, mer_nos, debits, credits)
    select account, delta_id || '.' || s.mer_no, currency, array[s.mer_no], array[s.debits], array[s.credits]
    from taken t, unnest(t.mer_nos, t.debits, t.credits) as s (mer_no, debits, credits)
  )
  select count(*) as split from taken`
