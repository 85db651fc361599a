// Approves or rejects payouts above the merchant's threshold. Approving calls no rail: the worker sends the payout.

import { merNoOf } from '../base/id.ts'
import { OperatorRefusal } from '../errors/catalogue.ts'
import type { Db } from '../postgres/db.ts'
import { changePayoutsIn } from './change-payouts.ts'
import type { PayoutEvent, PayoutState } from './payout.ts'

export function approvePayout(db: Db, tradeNo: string, now: Date): Promise<PayoutState> {
  return say(db, tradeNo, { kind: 'approved' }, now)
}

/** Returns amount and fee to the merchant. */
export function rejectPayout(db: Db, tradeNo: string, why: string, now: Date): Promise<PayoutState> {
  return say(db, tradeNo, { kind: 'rejected', why }, now)
}

function say(db: Db, tradeNo: string, event: PayoutEvent, at: Date): Promise<PayoutState> {
  const merNo = merNoOf(tradeNo) ?? -1
  return db.transaction(async (tx) => {
    const [changed] = await changePayoutsIn(tx, [{ merNo, tradeNo, event, at }])
    if (changed === undefined) throw new OperatorRefusal(`there is no payout ${tradeNo}`)
    if (!changed.applied)
      throw new OperatorRefusal(`payout ${tradeNo} awaits no approval: it is ${changed.state}`)
    return changed.state
  })
}
