// A merchant with a single small balance sends two payouts and a refund at once. The balance covers each of them alone,
// but not a payout and the refund together.
import { parseDecimal } from '../../src/platform/base/money.ts'
import { callGateway } from '../call-gateway.ts'
import type { Actor, Operation } from '../operation.ts'
import { isAccepted, outcomeOf } from '../witness.ts'
import { wirePart } from './amounts.ts'
import { sendCardPayment } from './pay-by-card.ts'
import { payOutToBank } from './payout.ts'
import { refundOnce } from './refund.ts'
import { settleDue } from './settle-due.ts'

const BY = 'spend one balance at once'
const CURRENCY = 'USD'
const CARD = '4242424242424242'

/**
 * Other operations do not act for this merchant. The merchant has no chargebacks, and refunds less than the remainder
 * of an unsettled order, so the balance never goes below zero.
 */
export const spendAtOnce: Operation = {
  name: BY,
  weight: 30,
  async run({ world, random }) {
    const actor = { world, random, shop: world.spender }
    const sourceAmount = `${40 + random.below(60)}.00`
    const order = await sendCardPayment(actor, `${BY}: earn`, CARD, { currencyCode: CURRENCY, sourceAmount })
    await settleDue.run(actor)
    const available = await availableOf(actor)
    if (available === undefined || !order.answers.some(isAccepted)) return
    const payOut = () => payOutToBank(actor, BY, CURRENCY, wirePart(available, CURRENCY, 4n, 5n))
    const refund = () => refundOnce(actor, BY, order, wirePart(sourceAmount, CURRENCY, 9n, 20n))
    await Promise.all([payOut(), refund(), payOut()])
  },
}

async function availableOf({ world, shop }: Actor): Promise<string | undefined> {
  const body = { merNo: shop.merNo, version: 'V3.0.0', currency: CURRENCY }
  const answer = await callGateway(shop, '/balance/query', body)
  world.witness.count(`${BY}: balance`, outcomeOf(answer))
  if (!isAccepted(answer) || answer.kind === 'lost') return undefined
  const balance = String(answer.data.balance)
  return (parseDecimal(balance, CURRENCY) ?? 0n) > 0n ? balance : undefined
}
