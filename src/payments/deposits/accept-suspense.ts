// An operator takes money in suspense for the order that it came for: the order succeeds after all.
import type { Clock } from '../../base/clock.ts'
import { OperatorRefusal } from '../../errors/catalogue.ts'
import type { Db } from '../../postgres/db.ts'
import type { Rates } from '../../rates/rates.ts'
import { requireSuspense, takeHeld } from '../../suspense/decide-suspense.ts'
import type { Suspense } from '../../suspense/suspense.ts'
import { acceptLatePayment, lockLateOrder, mayBeAccepted } from './accept-late-payment.ts'

export type AcceptDeps = { readonly db: Db; readonly clock: Clock; readonly rates: Pick<Rates, 'find'> }

export type AcceptedSuspense = {
  readonly merNo: number
  readonly tradeNo: string
  /** All that was held for the attempt that it came by. */
  readonly accepted: readonly Suspense[]
  /** What exceeds the order stays in suspense, as a row of its own. */
  readonly surplus: Suspense | undefined
}

/** The order succeeds by the attempt that the money was paid to, with all that is held for that, be it more or less than was asked. */
export function acceptSuspense(deps: AcceptDeps, suspenseId: string): Promise<AcceptedSuspense> {
  return deps.db.transaction(async (tx) => {
    const found = await requireSuspense(tx, suspenseId)
    const { merNo, tradeNo, attemptNo } = found
    if (tradeNo === undefined || attemptNo === undefined)
      throw new OperatorRefusal('it belongs to no order: it can only be returned')
    const order = await lockLateOrder(tx, { merNo, tradeNo, attemptNo })
    if (order === undefined || !mayBeAccepted(order))
      throw new OperatorRefusal(`order ${tradeNo} is not one that was cancelled or expired: return the money`)
    const at = deps.clock.now()
    const { held, surplus } = await takeHeld(tx, { ...found, tradeNo, attemptNo }, order.money, at)
    const received = held.reduce((sum, item) => sum + item.money.amount, 0n)
    await acceptLatePayment(tx, deps.rates, { order, received, at })
    return { merNo, tradeNo, accepted: held, surplus }
  })
}
