// Time travel: an order and its merchant's balances as they were, and what a query would have answered then.
import {
  type BookedChargeback,
  type Chargeback,
  isBooked,
  refusedAmounts,
} from '../../chargebacks/chargeback.ts'
import { chargebacksOf } from '../../chargebacks/find-chargeback.ts'
import { readBalancesAt } from '../../ledger/read-balances.ts'
import { orderAt } from '../../order-queries/order-at.ts'
import type { OrderKey } from '../../orders/order.ts'
import type { Db } from '../../postgres/db.ts'
import { refundsOf } from '../../refunds/find-refund.ts'
import { money } from './order-row.ts'

export async function viewPast(db: Db, key: OrderKey, moment: Date) {
  const { merNo, tradeNo } = key
  const [order, balances, chargebacks, refunds] = await Promise.all([
    orderAt(db, key, moment),
    readBalancesAt(db, merNo, moment),
    chargebacksOf(db, merNo, tradeNo),
    refundsOf(db, merNo, tradeNo),
  ])
  const past = {
    moment: moment.toISOString(),
    balances: balances.map(({ currency, available, unsettled, margin }) => ({
      currency,
      available: money(available, currency),
      unsettled: money(unsettled, currency),
      margin: money(margin, currency),
    })),
  }
  if (order === undefined) return { ...past, answer: { code: '10026' }, uncertain: [] }
  const { state, message, settled, attempts } = order
  const stood = refunds.filter(({ createdAt, state, decidedAt }) => {
    const hadFailed = state === 'failed' && decidedAt !== undefined && decidedAt <= moment
    return createdAt <= moment && !hadFailed
  })
  const refunded = stood.reduce((sum, refund) => sum + refund.money.amount, 0n)
  const chargeback = chargebackAt(chargebacks, moment)
  return {
    ...past,
    order: { state, message, settled, attempts, refunded: money(refunded, order.money.currency) },
    answer: { code: '00000', data: { ...order.answer, ...(chargeback && refusedAmounts(chargeback)) } },
    uncertain: [...order.uncertain],
  }
}

/** The latest chargeback that was open by then, in the state that it had. */
function chargebackAt(chargebacks: readonly Chargeback[], moment: Date): BookedChargeback | undefined {
  const latest = chargebacks.filter(isBooked).findLast(({ openedAt }) => openedAt <= moment)
  if (latest?.resolvedAt === undefined || latest.resolvedAt <= moment) return latest
  return { ...latest, state: 'open', resolvedAt: undefined }
}
