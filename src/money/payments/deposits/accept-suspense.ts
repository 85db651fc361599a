// An operator accepts money in suspense for its order. The order then succeeds through the attempt that the money was paid
// for, and refunds go to that attempt's channel.
import type { Clock } from '../../base/clock.ts'
import { formatAmount } from '../../base/money.ts'
import { OperatorRefusal } from '../../errors/catalogue.ts'
import type { PlannedChange } from '../../orders/change.ts'
import { chargesNow } from '../../orders/fees.ts'
import { lockOrder } from '../../orders/lock-orders.ts'
import { type AttemptedOrder, isAttempted, State } from '../../orders/order.ts'
import { changeOrders } from '../../orders/write-changes.ts'
import type { Db } from '../../postgres/db.ts'
import type { Rates } from '../../rates/rates.ts'
import { requireSuspense, takeHeld } from '../../suspense/decide-suspense.ts'
import type { Suspense } from '../../suspense/suspense.ts'

/** An open transaction may stand for the database. */
export type AcceptDeps = {
  readonly db: Pick<Db, 'transaction'>
  readonly clock: Clock
  readonly rates: Pick<Rates, 'find'>
}

export type AcceptedSuspense = {
  readonly merNo: number
  readonly tradeNo: string
  /** All money in suspense for the attempt. */
  readonly accepted: readonly Suspense[]
  /** The surplus, which stays in suspense in its own row. */
  readonly surplus: Suspense | undefined
}

/** The order succeeds with all money in suspense for the attempt, even if it is more or less than the order's amount. */
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
    await changeOrders(tx, [plan(order, received, deps.rates, at)])
    return { merNo, tradeNo, accepted: held, surplus }
  })
}

/** A later attempt may have changed the method, so the order takes the method of the attempt that paid it. */
function plan(order: AttemptedOrder, received: bigint, rates: AcceptDeps['rates'], at: Date): PlannedChange {
  const { money, attempt } = order
  const { choice } = attempt
  // A surplus does not belong to the order. Of a short payment the merchant gets only that.
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
