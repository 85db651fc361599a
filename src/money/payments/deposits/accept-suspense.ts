// An operator decides on money in suspense. Accepted money pays its order: the order succeeds through the attempt that
// the money was paid for, and refunds go to that attempt's channel. Money without an order is first assigned to an
// order.
import type { Clock } from '../../../platform/base/clock.ts'
import { merNoOf } from '../../../platform/base/id.ts'
import { formatAmount } from '../../../platform/base/money.ts'
import { OperatorRefusal } from '../../../platform/errors/catalogue.ts'
import type { Db, Tx } from '../../../platform/postgres/db.ts'
import type { PlannedChange } from '../../orders/change.ts'
import { chargesNow } from '../../orders/fees.ts'
import { lockOrder } from '../../orders/lock-orders.ts'
import { type AttemptedOrder, isAttempted, isDecided, State } from '../../orders/order.ts'
import { changeOrders } from '../../orders/write-changes.ts'
import type { Rates } from '../../rates/rates.ts'
import { moveToOrder, requireSuspense, takeHeld } from '../../suspense/release-suspense.ts'
import type { Suspense } from '../../suspense/suspense.ts'

/** `db` may be an open transaction. */
type AcceptDeps = {
  readonly db: Pick<Db, 'transaction'>
  readonly clock: Clock
  readonly rates: Pick<Rates, 'find'>
}

export type AcceptedSuspense = {
  readonly merNo: number
  readonly tradeNo: string
  /** All money in the order's currency that was in suspense for the attempt. */
  readonly accepted: readonly Suspense[]
  /** The surplus, which stays in suspense in its own row. */
  readonly surplus: Suspense | undefined
}

/**
 * Accepts all money in the order's currency that is in suspense for the attempt. The order succeeds even if the money
 * is less than its amount.
 */
export function acceptSuspense(deps: AcceptDeps, suspenseId: string): Promise<AcceptedSuspense> {
  return deps.db.transaction(async (tx) => {
    const found = await requireSuspense(tx, suspenseId)
    const { merNo, tradeNo, attemptNo } = found
    if (tradeNo === undefined || attemptNo === undefined)
      throw new OperatorRefusal('it belongs to no order: assign it to one, or return it')
    const order = await lockOrder(tx, { merNo, tradeNo, attemptNo })
    if (order === undefined || !isAttempted(order) || order.state !== State.cancelled)
      throw new OperatorRefusal(`order ${tradeNo} is not one that was cancelled or expired: return the money`)
    const at = deps.clock.now()
    const { held, surplus } = await takeHeld(tx, { ...found, tradeNo, attemptNo }, order.money, at)
    const received = held.reduce((sum, item) => sum + item.money.amount, 0n)
    await changeOrders(tx, [planSuccess(order, received, deps.rates, at)])
    return { merNo, tradeNo, accepted: held, surplus }
  })
}

/** Plans the success. If a later attempt changed the order's method, the method of the paid attempt is restored. */
function planSuccess(
  order: AttemptedOrder,
  received: bigint,
  rates: AcceptDeps['rates'],
  at: Date,
): PlannedChange {
  const { money, attempt } = order
  const { choice } = attempt
  // The merchant is paid the received amount, but at most the order's amount, because a surplus does not belong to the
  // order.
  const paid = { amount: received < money.amount ? received : money.amount, currency: money.currency }
  return {
    order,
    at,
    state: State.succeeded,
    message: 'Late payment accepted',
    received,
    attempt: { state: 'succeeded', askAt: undefined },
    charges: chargesNow(paid, choice?.terms ?? order.terms, rates),
    choice,
    receivedFields: { receiveAmount: formatAmount(received, money.currency) },
  }
}

/** Assigns money to the order that an operator found. From then on, the money is in suspense for that order. */
export function assignSuspense(
  deps: Omit<AcceptDeps, 'rates'>,
  suspenseId: string,
  tradeNo: string,
): Promise<Suspense> {
  return deps.db.transaction(async (tx) => {
    const found = await requireSuspense(tx, suspenseId)
    const { merNo, attempt, paid, money } = await lockPaidThrough(tx, tradeNo, found.channel)
    if (money.currency !== found.money.currency)
      throw new OperatorRefusal(
        `order ${tradeNo} is in ${money.currency}, this money in ${found.money.currency}`,
        'tradeNo',
      )
    const why = paid === undefined ? 'late' : 'surplus'
    const to = { merNo, tradeNo, attemptNo: attempt.no }
    return moveToOrder(tx, suspenseId, { attempt: to, why, at: deps.clock.now() })
  })
}

/** Locks the order with its latest attempt at the channel that has the money, because refunds go to that channel. */
async function lockPaidThrough(tx: Tx, tradeNo: string, channel: string): Promise<AttemptedOrder> {
  const merNo = merNoOf(tradeNo)
  const order = merNo === undefined ? undefined : await lockOrder(tx, { merNo, tradeNo })
  if (merNo === undefined || order?.kind !== 'payment')
    throw new OperatorRefusal(`there is no payment with the number ${tradeNo}`, 'tradeNo')
  if (order.attempt !== undefined && !isDecided(order.attempt.state))
    throw new OperatorRefusal(`order ${tradeNo} is still open: assign the money when it has ended`, 'tradeNo')
  for (let attemptNo = order.attempt?.no ?? 0; attemptNo > 0; attemptNo--) {
    const one = await lockOrder(tx, { merNo, tradeNo, attemptNo })
    if (one !== undefined && isAttempted(one) && one.attempt.channel === channel) return one
  }
  throw new OperatorRefusal(
    `order ${tradeNo} was never tried at the channel ${channel}, which has the money`,
    'tradeNo',
  )
}
