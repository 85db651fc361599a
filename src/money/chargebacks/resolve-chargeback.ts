// Ends a chargeback. If the merchant wins, the merchant gets back the amount, but not the fee. If the merchant loses,
// no money moves.
//
// Lock order: the order, then its chargeback.
import { assert, OperatorRefusal } from '../../platform/errors/catalogue.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import { channelAccount } from '../ledger/account.ts'
import { enqueueNotifications } from '../notifications/enqueue-notifications.ts'
import { planMove } from '../orders/change.ts'
import type { PaidOrder } from '../orders/order.ts'
import { type Moved, winChargeback } from '../orders/position.ts'
import { changeOrders } from '../orders/write-changes.ts'
import {
  type BookedChargeback,
  type Chargeback,
  isBooked,
  mayFollow,
  messageOf,
  toNotification,
} from './chargeback.ts'
import { type ChargebackDeps, type ChargebackTerms, lockPaid, ownerOf } from './open-chargeback.ts'
import { reasonInWords } from './reasons.ts'
import { resolveOpen } from './sql.ts'

export type ChargebackOutcome = 'won' | 'lost'

/**
 * Ends the order's open chargeback. Throws an OperatorRefusal and changes nothing if there is no such paid order, or if
 * it has no open chargeback.
 */
export async function resolveChargeback(
  deps: ChargebackDeps,
  tradeNo: string,
  { outcome, at }: { readonly outcome: ChargebackOutcome; readonly at: Date },
): Promise<BookedChargeback> {
  const { merNo, merchant } = await ownerOf(deps, tradeNo)
  return deps.db.transaction(async (tx) => {
    return resolveOn(tx, await lockPaid(tx, merNo, tradeNo), merchant, { outcome, at })
  })
}

/** Ends the chargeback of an order that the caller's transaction has locked. */
export async function resolveOn(
  tx: Tx,
  order: PaidOrder,
  merchant: ChargebackTerms,
  { outcome, at }: { readonly outcome: ChargebackOutcome; readonly at: Date },
): Promise<BookedChargeback> {
  check(order, outcome)
  const chargeback = await resolveOpen(tx, order, outcome, at)
  assert(chargeback !== undefined && isBooked(chargeback), 'a disputed order has an open chargeback')
  const why = messageOf(chargeback, await reasonInWords(tx, chargeback.reason))
  const moved = moneyBack(order, chargeback)
  await changeOrders(tx, [planMove({ order, moved, chargeback: outcome, why, at })])
  await enqueueNotifications(tx, [toNotification(chargeback, why, order, merchant, at)])
  return chargeback
}

function check({ tradeNo, paid: { chargeback } }: PaidOrder, outcome: ChargebackOutcome): void {
  if (chargeback === undefined) throw new OperatorRefusal(`order ${tradeNo} has no chargeback`)
  if (!mayFollow(chargeback, outcome))
    throw new OperatorRefusal(`the chargeback of order ${tradeNo} is ${chargeback} already`)
}

function moneyBack({ attempt, paid: { position } }: PaidOrder, chargeback: Chargeback): Moved {
  if (chargeback.state === 'lost') return { position, transfers: [] }
  const step = `chargeback-won:${chargeback.chargebackId}`
  return winChargeback(position, chargeback.money.amount, channelAccount(attempt.channel), step)
}
