// Records what happened to payouts, many in one transaction: each becomes a planned change of its order.
//
// Invariant: a payout is decided once, and so its money is booked out or given back once. Order and payout are locked, and
// the rule decides on what it finds there. Lock order: orders by (mer_no, trade_no), payouts, usage rows.

import { assert } from '../errors/catalogue.ts'
import type { PlannedChange } from '../orders/change.ts'
import { lockOrders } from '../orders/lock-orders.ts'
import { State } from '../orders/states.ts'
import { changeOrders } from '../orders/write-changes.ts'
import type { Db, Tx } from '../postgres/db.ts'
import { feesOf, returnedEntries, sentEntries } from './money.ts'
import { type Decision, decide, mayFollow, type Payout, type PayoutEvent } from './payout.ts'
import { lockPayouts, type PayoutChange, type PayoutKey, updatePayouts } from './sql.ts'

export type PayoutReport = PayoutKey & { readonly event: PayoutEvent; readonly at: Date }

/** How the payout stands after the report; `payout` as it stood before. */
export type ChangedPayout = Decision & { readonly payout: Payout }

/** Undefined for what is no payout. */
export async function changePayouts(
  db: Db,
  reports: readonly PayoutReport[],
): Promise<(ChangedPayout | undefined)[]> {
  const results = new Map<PayoutReport, ChangedPayout | undefined>()
  // Two reports on one payout may meet in a batch: one at a time.
  for (let rest = [...reports]; rest.length > 0; rest = rest.filter((report) => !results.has(report))) {
    const round = firstPerPayout(rest)
    const changed = await db.transaction((tx) => changeRound(tx, round))
    for (const report of round) results.set(report, changed.get(report.tradeNo))
  }
  return reports.map((report) => results.get(report))
}

function firstPerPayout(reports: readonly PayoutReport[]): PayoutReport[] {
  const byTrade = new Map<string, PayoutReport>()
  for (const report of reports) if (!byTrade.has(report.tradeNo)) byTrade.set(report.tradeNo, report)
  return [...byTrade.values()]
}

async function changeRound(tx: Tx, reports: readonly PayoutReport[]): Promise<Map<string, ChangedPayout>> {
  const orders = await lockOrders(tx, reports)
  const payouts = await lockPayouts(tx, orders)
  const byTrade = new Map(reports.map((report) => [report.tradeNo, report]))
  const changes = payouts.flatMap((payout): PayoutChange[] => {
    const report = byTrade.get(payout.order.tradeNo)
    if (report === undefined) return []
    const { event, at } = report
    return [{ payout, event, decision: decide(payout, event, at), at }]
  })
  const applied = changes.filter((change) => change.decision.applied)
  if (applied.length > 0) await write(tx, applied)
  return new Map(
    changes.map(({ payout, decision }) => [payout.order.tradeNo, { ...decision, payout }] as const),
  )
}

async function write(tx: Tx, changes: readonly PayoutChange[]): Promise<void> {
  for (const { payout, decision } of changes)
    assert(
      payout.state === decision.state || mayFollow(payout.state, decision.state),
      `a payout may go ${payout.state} → ${decision.state}`,
    )
  await updatePayouts(tx, changes)
  await changeOrders(tx, changes.map(toOrderChange))
}

/** Success books the money out, failure gives it back. */
function toOrderChange({ payout, decision, at }: PayoutChange): PlannedChange {
  const { order } = payout
  const { orderState: state, message } = decision
  if (state === order.state) return { order, at, state, message }
  const booked = { ...order, ...payout }
  if (state !== State.succeeded) return { order, at, state, message, transfers: returnedEntries(booked, at) }
  const fees = feesOf(order.money.amount, order.terms)
  return { order, at, state, message, fees, transfers: sentEntries(booked, at) }
}
