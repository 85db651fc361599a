// An operator has found the order that money without a reference was paid for. The money is held under that order from then
// on, where it is accepted or returned like all late or surplus money.
import type { Clock } from '../../base/clock.ts'
import { merNoOf } from '../../base/id.ts'
import { OperatorRefusal } from '../../errors/catalogue.ts'
import { lockOrder } from '../../orders/lock-orders.ts'
import { type AttemptedOrder, isAttempted, isDecided } from '../../orders/order.ts'
import type { Db, Tx } from '../../postgres/db.ts'
import { moveToOrder, requireSuspense } from '../../suspense/decide-suspense.ts'
import type { Suspense } from '../../suspense/suspense.ts'

export type AssignDeps = { readonly db: Pick<Db, 'transaction'>; readonly clock: Clock }

export function assignSuspense(deps: AssignDeps, suspenseId: string, tradeNo: string): Promise<Suspense> {
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

/** The order with its latest attempt at the channel that has the money: refunds go there. */
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
