// A merchant without other money refunds every payment, several at once. Each refund leaves a debt of the payment's
// fees. The refund credit of the first debtor covers the fees of a small payment, but not the fees of a large payment.
// The second debtor takes only small payments, so its debts soon exceed its payments that are not refunded yet. If a
// settlement then takes money from the available balance without cover, the balance stays below zero.
import type { Operation } from '../operation.ts'
import { minus } from './amounts.ts'
import { lookUp } from './look-up.ts'
import { sendCardPayment } from './pay-by-card.ts'
import { refundOnce } from './refund.ts'

const BY = 'live on refund credit'
const CURRENCY = 'USD'
const CARD = '4242424242424242'
const SUCCEEDED = 5
/** The states of orders that failed, were cancelled, or were refunded in full. */
const ended = [6, 7, 9]
/** The maximum number of payments that the merchant refunds at once. */
const AT_ONCE = 8

/** Earns money for a debtor and refunds it. Other operations do not act for the debtors. */
export const liveOnCredit: Operation = {
  name: BY,
  weight: 14,
  async run({ world, random }) {
    const { witness, debtors } = world
    const shop = random.pick(debtors)
    if (shop === undefined) return
    const actor = { world, random, shop }
    const isSmall = shop !== debtors[0] || random.chance(0.8)
    const sourceAmount = `${isSmall ? 1 + random.below(3) : 40 + random.below(50)}.00`
    // At times no payment is made, so that all payments are refunded and only debts remain to be settled.
    if (random.chance(0.6))
      await sendCardPayment(actor, `${BY}: earn`, CARD, { currencyCode: CURRENCY, sourceAmount })
    const own = [...witness.orders.values()].filter((order) => order.shop === shop)
    const open = own.filter(({ lastListed }) => !ended.includes(lastListed?.state ?? 0)).slice(-2 * AT_ONCE)
    const listed = await lookUp(actor, open)
    const paid = listed.filter(({ state }) => state === SUCCEEDED).slice(0, AT_ONCE)
    await Promise.all(
      paid.map(({ order, refunded }) => refundOnce(actor, BY, order, minus(order.amount, refunded))),
    )
  },
}
