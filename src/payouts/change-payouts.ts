// Records events of payouts, many in one transaction: the state with its history row, the ledger entries, the
// outbox row, the limits given back by what failed.
//
// Invariant: a payout is decided once, and so its money is booked out or given back once. Order and payout are locked, and
// the rule decides on what it finds there. Lock order: orders by (mer_no, trade_no), payouts, usage rows.

import { assert } from '../errors/catalogue.ts'
import type { Entry } from '../ledger/post-entries.ts'
import { postEntries } from '../ledger/post-entries.ts'
import { enqueueNotifications } from '../notifications/enqueue-notifications.ts'
import type { Notification } from '../notifications/notification.ts'
import { State } from '../payments/payment.ts'
import { changePayoutOrders, lockPayoutOrders } from '../payments/payout-orders.ts'
import type { Db, Tx } from '../postgres/db.ts'
import { feesOf, returnedEntries, sentEntries } from './money.ts'
import { type Decision, decide, mayFollow, type Payout, type PayoutEvent } from './payout.ts'
import { lockPayouts, type PayoutChange, type PayoutKey, updatePayouts } from './sql.ts'

export type PayoutReport = PayoutKey & { readonly event: PayoutEvent; readonly at: Date }

/** How the payout stands after the report; `payout` as it stood before. */
export type ChangedPayout = Decision & { readonly payout: Payout }

/** One transaction. The list has one report per payout at most; the result is undefined where there is no such payout. */
export function changePayouts(
  db: Db,
  reports: readonly PayoutReport[],
): Promise<(ChangedPayout | undefined)[]> {
  return db.transaction(async (tx) => {
    const payouts = await lockPayouts(tx, await lockPayoutOrders(tx, reports))
    const byTrade = new Map(payouts.map((payout) => [payout.order.tradeNo, payout]))
    const changes = reports.map(({ tradeNo, event, at }): PayoutChange | undefined => {
      const payout = byTrade.get(tradeNo)
      return payout && { payout, event, decision: decide(payout, event, at), at }
    })
    const applied = changes.flatMap((change) => (change?.decision.applied === true ? [change] : []))
    if (applied.length > 0) await write(tx, applied)
    return changes.map((change) => change && { ...change.decision, payout: change.payout })
  })
}

async function write(tx: Tx, changes: readonly PayoutChange[]): Promise<void> {
  for (const { payout, decision } of changes)
    assert(
      payout.state === decision.state || mayFollow(payout.state, decision.state),
      `a payout may go ${payout.state} → ${decision.state}`,
    )
  await updatePayouts(tx, changes)
  await changePayoutOrders(tx, changes.map(toOrderChange))
  await postEntries(tx, changes.flatMap(entriesOf))
  await enqueueNotifications(tx, changes.filter(isDecided).map(toNotification))
}

function isDecided({ payout, decision }: PayoutChange): boolean {
  return decision.orderState !== payout.order.state
}

function toOrderChange({ payout, decision, at }: PayoutChange) {
  const { order } = payout
  const fees = decision.state === 'succeeded' ? feesOf(order.money.amount, order) : undefined
  return { order, state: decision.orderState, message: decision.message, fees, at }
}

function entriesOf(change: PayoutChange): Entry[] {
  if (!isDecided(change)) return []
  const { payout, decision, at } = change
  const booked = { ...payout.order, ...payout }
  return decision.orderState === State.succeeded ? sentEntries(booked, at) : returnedEntries(booked, at)
}

function toNotification({ payout, decision, at }: PayoutChange): Notification {
  const { merNo, tradeNo, merOrderNo, notifyUrl } = payout.order
  const code = decision.orderState === State.succeeded ? '0' : '1'
  const fields = { tradeNo, merOrderNo, code, message: decision.message }
  return { merNo, tradeNo, event: 'payout', url: notifyUrl, fields, at }
}
