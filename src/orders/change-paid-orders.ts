// The one way in which a paid order's money moves: lock the orders, move each position by a pure rule, write all.
//
// Invariants: an order's parts sum to its amount; state, history, totals and ledger entries change in one transaction.
// Lock order: orders by (mer_no, trade_no); whoever decides by a balance locks it between that and the writing.

import { assert } from '../errors/catalogue.ts'
import { type Entry, postEntries } from '../ledger/post-entries.ts'
import type { Tx } from '../postgres/db.ts'
import { addTotals, type Step } from './daily-totals.ts'
import { mayBecome, type StateNumber } from './order.ts'
import { type ChargebackState, type PaidOrder, paidState } from './paid-order.ts'
import { type OrderKey, selectPaidOrders, updatePaidOrders } from './paid-sql.ts'
import { checkPosition, type Moved } from './position.ts'

export type PaidChange = {
  readonly order: PaidOrder
  /** The position after the event, and the transfers that lead there. */
  readonly moved: Moved
  readonly refundsOpen?: number
  readonly chargeback?: ChargebackState
  /** For the history: one sentence. */
  readonly why: string
  readonly at: Date
}

/** Those of the orders that were paid, by trade number; they stay as they are until the commit. */
export function lockPaidOrders(tx: Tx, keys: readonly OrderKey[]): Promise<Map<string, PaidOrder>> {
  return selectPaidOrders(tx, keys)
}

/** One change an order; the orders are locked by this transaction. */
export async function changePaidOrders(tx: Tx, changes: readonly PaidChange[]): Promise<PaidOrder[]> {
  if (changes.length === 0) return []
  const planned = changes.map(plan)
  const written = await updatePaidOrders(tx, planned)
  assert(written === planned.length, 'no locked order changes under us')
  await addTotals(tx, planned.flatMap(stepsOf))
  await postEntries(tx, planned.flatMap(entriesOf))
  return planned.map(({ after }) => after)
}

export type PlannedPaidChange = PaidChange & { readonly after: PaidOrder }

function plan(change: PaidChange): PlannedPaidChange {
  const { order, moved } = change
  checkPosition(moved.position, order.fees)
  const next = {
    ...order,
    position: moved.position,
    refundsOpen: change.refundsOpen ?? order.refundsOpen,
    chargeback: change.chargeback ?? order.chargeback,
  }
  const state = paidState(next)
  const changed = state !== order.state
  assert(!changed || mayBecome(order.state, state), `an order may go ${order.state} → ${state}`)
  return { ...change, after: { ...next, state, version: order.version + (changed ? 1 : 0) } }
}

function entriesOf({ order, moved, at }: PlannedPaidChange): Entry[] {
  const { merNo, tradeNo: subject } = order
  return moved.transfers.map((transfer) => ({ merNo, subject, at, ...transfer }))
}

/** The order leaves one cell of the totals and enters another. */
function stepsOf({ order, after, at }: PlannedPaidChange): Step[] {
  const [before, now] = [cellOf(order), cellOf(after)]
  if (before.state === now.state && before.settled === now.settled) return []
  const amounts = { sourceAmount: order.sourceAmount, settleAmount: order.settleAmount, at }
  return [
    { cell: before, sign: -1n, ...amounts },
    { cell: now, sign: 1n, ...amounts },
  ]
}

function cellOf(order: { state: StateNumber } & Omit<PaidOrder, 'state'>) {
  const { merNo, localDay, state, position } = order
  const { currency, settleCurrency, settled } = position
  return { merNo, localDay, state, currency, settleCurrency, settled }
}
