// Accepts payouts of one merchant, many in one transaction. The transaction counts each payout against the limits,
// takes the money, and inserts the order and the payout.
//
// Invariant: no payout takes more than the available balance minus the merchant's debts in all currencies. While any
// available balance is below zero, no payout is accepted. All balances of the merchant are locked from the check to the
// commit.
//
// Lock order: usage rows, then balances. See docs/decisions/0060-refund-money-is-taken-at-acceptance.md.

import { assert, type Refusal } from '../../platform/errors/catalogue.ts'
import { type Batcher, createBatcher } from '../../platform/postgres/batch.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { lockAllBalances } from '../ledger/lock-balances.ts'
import { postEntries } from '../ledger/post-entries.ts'
import { acceptOrders } from '../orders/accept-orders.ts'
import { insertFreePayouts } from '../orders/new-order.ts'
import type { Rates } from '../rates/rates.ts'
import { assignFunds, feeOf, takenEntries } from './money.ts'
import type { Funding, NewPayout } from './payout.ts'
import { insertPayouts } from './sql.ts'

export type AcceptDeps = { readonly db: Db; readonly rates: Pick<Rates, 'find'> }

export type AcceptedPayout = { readonly refusal: Refusal | undefined }

export type AcceptBatches = (payout: NewPayout) => Promise<AcceptedPayout>

/** Puts one payout into the next batch of its merchant. The promise is fulfilled when that batch is committed. */
export function acceptPayout(
  { payoutBatches }: { readonly payoutBatches: { readonly accept: AcceptBatches } },
  payout: NewPayout,
): Promise<AcceptedPayout> {
  return payoutBatches.accept(payout)
}

export const MAX_BATCH = 128
const MAX_QUEUE = 1_024

/** Opens a batcher for each merchant, because a transaction locks the balances of one merchant. */
export function openAcceptBatches(deps: AcceptDeps): AcceptBatches {
  const byMerchant = new Map<number, Batcher<NewPayout, AcceptedPayout>>()
  const batcherOf = (merNo: number) => {
    const known = byMerchant.get(merNo)
    if (known !== undefined) return known
    const flush = (payouts: readonly NewPayout[]) => acceptPayouts(deps, payouts)
    const made = createBatcher({ maxBatch: MAX_BATCH, maxQueue: MAX_QUEUE, flush })
    byMerchant.set(merNo, made)
    return made
  }
  return (payout) => batcherOf(payout.merNo).submit(payout)
}

/** Accepts the payouts in one transaction. All payouts of the list belong to one merchant. */
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

/**
 * Locks the merchant's balances and assigns them to the payouts in order of arrival. Adds the funding of each covered
 * payout to `funded`, and returns the refusals of the other payouts.
 */
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

/**
 * Inserts the funded payouts and returns their trade numbers. If a concurrent request has used a payout's order number,
 * the payout is not inserted, and its money is not taken.
 */
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
