// A merchant with one small balance sends several payouts at once: each is affordable, any two of them are not.
import { parseDecimal } from '../../src/base/money.ts'
import { callGateway } from '../call-gateway.ts'
import type { Actor, Operation } from '../operation.ts'
import { outcomeOf } from '../witness.ts'
import { wirePart } from './amounts.ts'
import { sendCardPayment } from './pay-by-card.ts'
import { payOutToBank } from './payout.ts'
import { settleDue } from './settle-due.ts'

const BY = 'spend one balance at once'
const CURRENCY = 'USD'
const CARD = '4242424242424242'
/** In minor units: less is not worth spending. */
const LEAST = 600n
const AT_ONCE = 6

/** Nobody else acts for this merchant: it has no chargebacks, so its balance never goes below zero. */
export const spendAtOnce: Operation = {
  name: BY,
  weight: 30,
  async run({ world, random }) {
    const actor = { world, random, shop: world.spender }
    const left = await availableOf(actor)
    if (!isEnough(left)) await earn(actor)
    const available = isEnough(left) ? left : await availableOf(actor)
    if (!isEnough(available)) return
    const amount = wirePart(available, CURRENCY, 3n, 5n)
    await Promise.all(Array.from({ length: AT_ONCE }, () => payOutToBank(actor, BY, CURRENCY, amount)))
  },
}

function isEnough(available: string | undefined): available is string {
  return available !== undefined && (parseDecimal(available, CURRENCY) ?? 0n) >= LEAST
}

async function availableOf({ world, shop }: Actor): Promise<string | undefined> {
  const body = { merNo: shop.merNo, version: 'V3.0.0', currency: CURRENCY }
  const answer = await callGateway(shop, '/balance/query', body)
  world.witness.count(`${BY}: balance`, outcomeOf(answer))
  return answer.kind === 'answered' && answer.code === '00000' ? String(answer.data.balance) : undefined
}

async function earn(actor: Actor): Promise<void> {
  const sourceAmount = `${40 + actor.random.below(60)}.00`
  await sendCardPayment(actor, `${BY}: earn`, CARD, { currencyCode: CURRENCY, sourceAmount })
  await settleDue.run(actor)
}
