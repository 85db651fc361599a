// Accepts payouts of one merchant, many in one transaction: adds to their limits, takes their money, inserts order and payout.
//
// Invariant: no payout takes more than the available balance minus what the merchant owes in any currency. All its balances
// are locked from the check to the commit. While any available balance is below zero, nothing is paid out.
// Lock order: usage rows, then balances.

import { assert, type Refusal } from '../errors/catalogue.ts'
import { lockAllBalances } from '../ledger/lock-balances.ts'
import { postEntries } from '../ledger/post-entries.ts'
import { acceptOrders } from '../orders/accept-orders.ts'
import { insertFreePayouts } from '../orders/new-order.ts'
import type { Db, Tx } from '../postgres/db.ts'
import type { Rates } from '../rates/rates.ts'
import { assignFunds, feeOf } from './assign-funds.ts'
import { takenEntries } from './money.ts'
import type { NewPayout } from './new-payout.ts'
import type { Funding } from './payout.ts'
import { insertPayouts } from './sql.ts'

export type AcceptDeps = { readonly db: Db; readonly rates: Pick<Rates, 'find'> }

export type AcceptedPayout = { readonly refusal: Refusal | undefined }

/** All of one merchant. */
export async function acceptPayouts(
  deps: AcceptDeps,
  payouts: readonly NewPayout[],
): Promise<AcceptedPayout[]> {
  const refused = await deps.db.transaction(async (tx) => {
    const funded = new Map<NewPayout, Funding>()
    return acceptOrders(tx, payouts, {
      refuse: (free) => takeMoney(tx, deps.rates, free, funded),
      insert: (fitting) => insertFunded(tx, fitting, funded),
    })
  })
  return payouts.map((payout) => ({ refusal: refused.get(payout) }))
}

/** Assigns the balances to payouts in order of arrival, and refuses the rest. */
async function takeMoney(
  tx: Tx,
  rates: AcceptDeps['rates'],
  payouts: readonly NewPayout[],
  funded: Map<NewPayout, Funding>,
): Promise<Map<NewPayout, Refusal>> {
  const [first] = payouts
  if (first === undefined) return new Map()
  assert(
    payouts.every((payout) => payout.merNo === first.merNo),
    "one transaction takes one merchant's money",
  )
  const currencies = payouts.flatMap((payout) => [payout.money.currency, payout.terms.settleCurrency])
  const balances = await lockAllBalances(tx, first.merNo, currencies)
  const assigned = assignFunds(payouts, balances, rates)
  for (const [payout, funding] of assigned.funded) funded.set(payout, funding)
  return new Map(assigned.refused)
}

/** If a concurrent payment has used the order number, the payout is not inserted and no money is taken. */
async function insertFunded(
  tx: Tx,
  payouts: readonly NewPayout[],
  funded: ReadonlyMap<NewPayout, Funding>,
): Promise<Set<string>> {
  const pairs = payouts.flatMap((payout) => {
    const funding = funded.get(payout)
    return funding === undefined ? [] : [{ payout, funding, fee: feeOf(payout) }]
  })
  const orders = pairs.map(({ payout, funding }) => {
    const terms = { ...payout.terms, settleCurrency: funding.currency, settleRate: funding.rate }
    return { ...payout, terms }
  })
  const inserted = await insertFreePayouts(tx, orders)
  const accepted = pairs.filter(({ payout }) => inserted.has(payout.tradeNo))
  if (accepted.length === 0) return inserted
  await insertPayouts(tx, accepted)
  await postEntries(
    tx,
    accepted.flatMap(({ payout, ...money }) => takenEntries({ ...payout, ...money }, payout.createdAt)),
  )
  return inserted
}
