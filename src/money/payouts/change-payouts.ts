// Records what happened to payouts, many in one transaction: each becomes a planned change of its order.
//
// Invariant: a payout is decided once, so its money is booked out or given back once. One that came back after its success gives
// back its amount, once, and has the entries of both, whichever is reported first. The rules run on the locked order and payout.
// Lock order: orders by (mer_no, trade_no), payouts, usage rows.

import { formatAmount } from '../base/money.ts'
import { assert } from '../errors/catalogue.ts'
import { enqueueAlerts, type NewAlert } from '../mail/enqueue-alert.ts'
import type { PlannedChange } from '../orders/change.ts'
import { lockOrders } from '../orders/lock-orders.ts'
import { changeOrders } from '../orders/write-changes.ts'
import type { Db, Tx } from '../postgres/db.ts'
import { cameBackEntries, feesOf, returnedEntries, sentEntries } from './money.ts'
import { type Decision, decide, mayFollow, type Payout, type PayoutEvent } from './payout.ts'
import { lockPayouts, type PayoutChange, type PayoutKey, updatePayouts } from './sql.ts'

export type PayoutReport = PayoutKey & { readonly event: PayoutEvent; readonly at: Date }

/** The payout's state after the report; `payout` is the row before it. */
export type ChangedPayout = Decision & { readonly payout: Payout }

/** One transaction. The list has one report per payout at most; the result is undefined if there is no such payout. */
export function changePayouts(
  db: Db,
  reports: readonly PayoutReport[],
): Promise<(ChangedPayout | undefined)[]> {
  return db.transaction((tx) => changePayoutsIn(tx, reports))
}

/** The same in the caller's transaction, for a decision that writes more with it. */
export async function changePayoutsIn(
  tx: Tx,
  reports: readonly PayoutReport[],
): Promise<(ChangedPayout | undefined)[]> {
  const payouts = await lockPayouts(tx, await lockOrders(tx, reports))
  const byTrade = new Map(payouts.map((payout) => [payout.order.tradeNo, payout]))
  const changes = reports.map(({ tradeNo, event, at }): PayoutChange | undefined => {
    const payout = byTrade.get(tradeNo)
    return payout && { payout, event, decision: decide(payout, event, at), at }
  })
  const applied = changes.flatMap((change) => (change?.decision.applied === true ? [change] : []))
  if (applied.length > 0) await write(tx, applied)
  return changes.map((change) => change && { ...change.decision, payout: change.payout })
}

async function write(tx: Tx, changes: readonly PayoutChange[]): Promise<void> {
  for (const { payout, decision } of changes)
    assert(
      payout.state === decision.state || mayFollow(payout.state, decision.state),
      `a payout may go ${payout.state} → ${decision.state}`,
    )
  await updatePayouts(tx, changes)
  await changeOrders(tx, changes.map(toOrderChange))
  await enqueueAlerts(tx, changes.flatMap(alertOf))
}

/** Payouts that are decided. */
function alertOf({ payout: { order }, decision: { state }, at: now }: PayoutChange): NewAlert[] {
  if (state !== 'succeeded' && state !== 'failed' && state !== 'returned') return []
  const { merNo, merOrderNo, money } = order
  const amount = `${formatAmount(money.amount, money.currency)} ${money.currency}`
  const result = state === 'returned' ? 'came back' : state
  return [{ merNo, kind: 'payout-result', values: { orderNo: merOrderNo, amount, result }, now }]
}

/** Success books the money out, failure gives it back. */
function toOrderChange({ payout, decision, at }: PayoutChange): PlannedChange {
  const { order } = payout
  const { orderState: state, message } = decision
  if (state === order.state) return { order, at, state, message }
  const booked = { ...order, ...payout }
  if (decision.state === 'failed')
    return { order, at, state, message, transfers: returnedEntries(booked, at) }
  const sent = payout.state === 'succeeded' ? [] : sentEntries(booked, at)
  const back = decision.state === 'returned' ? cameBackEntries(booked, at) : []
  const fees = feesOf(order.money.amount, order.terms)
  return { order, at, state, message, fees, transfers: [...sent, ...back] }
}
