// Money came for an order that nobody waited for any more, and an operator takes it: the order succeeds after all. It is
// booked, counted and notified like all the others, only that the money comes from the suspense account.
//
// Lock order as everywhere: the order with its attempt, then usage rows.

import { formatAmount } from '../../base/money.ts'
import { assert } from '../../errors/catalogue.ts'
import { SUSPENSE } from '../../ledger/account.ts'
import { type Entry, postEntries } from '../../ledger/post-entries.ts'
import { enqueueNotifications } from '../../notifications/enqueue-notifications.ts'
import { addTotals, type Step } from '../../orders/daily-totals.ts'
import { takeUsage } from '../../orders/limit-usage.ts'
import { type AttemptKey, lockOrders } from '../../orders/lock-orders.ts'
import {
  bookingsOf,
  type Charges,
  mayBecome,
  type OpenOrder,
  State,
  type StateNumber,
} from '../../orders/order.ts'
import { writeChanges } from '../../orders/sql.ts'
import { usagesOf } from '../../orders/write-changes.ts'
import type { Tx } from '../../postgres/db.ts'
import type { Rates } from '../../rates/rates.ts'
import { restoreChoice } from '../hosted/sql.ts'
import { successOf } from '../plan-change.ts'

export type LatePayment = { readonly order: OpenOrder; readonly received: bigint; readonly at: Date }

const MESSAGE = 'Late payment accepted'

/**
 * Locks the order with the attempt that the money was paid to, which need not be the last: refunds go back by that one's
 * channel. Undefined when this merchant has no such order.
 */
export async function lockLateOrder(tx: Tx, key: AttemptKey): Promise<OpenOrder | undefined> {
  return (await lockOrders(tx, [key])).get(key.tradeNo)
}

export function mayBeAccepted({ state }: OpenOrder): boolean {
  return state === State.cancelled
}

/** How much of the money is the order's: what came in surplus is not. */
export function takenOf({ order, received }: Pick<LatePayment, 'order' | 'received'>): bigint {
  return received < order.money.amount ? received : order.money.amount
}

/** The order is locked, and may be accepted. What came short is all that the merchant gets. */
export async function acceptLatePayment(
  tx: Tx,
  rates: Pick<Rates, 'find'>,
  late: LatePayment,
): Promise<void> {
  const { at } = late
  const order = await asPaid(tx, late.order)
  assert(mayBecome(order.state, State.succeeded) && mayBeAccepted(order), 'a late order may succeed')
  const paid = { amount: takenOf(late), currency: order.money.currency }
  const success = successOf(order, at, rates, paid)
  await writeSuccess(tx, { ...late, order }, success)
  await takeUsage(tx, usagesOf([order]))
  const bookings = bookingsOf({ ...order, money: paid }, success.charges, at)
  await postEntries(tx, bookings.map(fromSuspense))
  await addTotals(tx, stepsOf(late, order, success.charges))
  await enqueueNotifications(tx, [notificationOf(late)])
}

/** On our pages each attempt may be by another method: the order takes on that of the attempt that paid it. */
async function asPaid(tx: Tx, order: OpenOrder): Promise<OpenOrder> {
  const { merNo, tradeNo, attempt } = order
  const key = { merNo, tradeNo, attemptNo: attempt.no }
  if (!(await restoreChoice(tx, key))) return order
  const restored = (await lockOrders(tx, [key])).get(tradeNo)
  assert(restored !== undefined, 'a locked order stays')
  return restored
}

async function writeSuccess(
  tx: Tx,
  { order, received, at }: LatePayment,
  success: ReturnType<typeof successOf>,
): Promise<void> {
  await writeChanges(tx, [
    {
      order,
      at,
      received,
      attemptState: 'succeeded',
      orderState: State.succeeded,
      message: MESSAGE,
      channelRef: undefined,
      action: undefined,
      askAt: undefined,
      ...success,
    },
  ])
}

function fromSuspense(entry: Entry): Entry {
  return entry.step === 'payment' ? { ...entry, debit: SUSPENSE } : entry
}

/** It leaves the cancelled orders of its day, where it stood under the terms before, and enters the successful ones. */
function stepsOf({ order: before, at }: LatePayment, after: OpenOrder, charges: Charges): Step[] {
  const { merNo, localDay, money } = after
  const { currency, amount: sourceAmount } = money
  const cellOf = ({ terms: { settleCurrency } }: OpenOrder, state: StateNumber) => {
    return { merNo, localDay, currency, settleCurrency, settled: false, state }
  }
  const { settleAmount } = charges
  return [
    { cell: cellOf(before, before.state), sign: -1n, sourceAmount, settleAmount: 0n, at },
    { cell: cellOf(after, State.succeeded), sign: 1n, sourceAmount, settleAmount, at },
  ]
}

function notificationOf({ order, received, at }: LatePayment) {
  const { merNo, tradeNo, merOrderNo, notifyUrl: url, money } = order
  const receiveAmount = formatAmount(received, money.currency)
  const fields = { tradeNo, merOrderNo, code: '0', message: MESSAGE, receiveAmount }
  return { merNo, tradeNo, event: 'payment', url, fields, at } as const
}
