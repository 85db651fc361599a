// Chargebacks that the operator opens and resolves, in addition to the disputes of the sandbox's card issuer.
import type { Actor, Operation } from '../operation.ts'
import { wirePart } from './amounts.ts'
import { command } from './command.ts'
import type { Listed } from './look-up.ts'
import { pickPayment } from './pick-order.ts'

const OPEN = 'open a chargeback'
const RESOLVE = 'resolve a chargeback'
const SUCCEEDED = 5
const REFUNDED = 9
const REFUNDING = 10
const DISPUTED = 12

export const openChargeback: Operation = {
  name: OPEN,
  weight: 3,
  async run(actor) {
    const listed = await pickPayment(actor, { states: [SUCCEEDED, REFUNDED, REFUNDING] })
    if (listed?.order.tradeNo === undefined) return
    const { number, tradeNo } = listed.order
    const amount = actor.random.chance(0.3) ? ['--amount', partOfOrder(listed)] : []
    await command(actor, OPEN, number, 'chargeback', 'open', '--trade-no', tradeNo, ...amount)
    if (actor.random.chance(0.3)) await resolve(actor, listed)
  },
}

export const resolveChargeback: Operation = {
  name: RESOLVE,
  weight: 3,
  async run(actor) {
    const listed = await pickPayment(actor, { states: [DISPUTED] })
    if (listed !== undefined) await resolve(actor, listed)
  },
}

/** Resolves the chargeback. In a tenth of the cases, two operators record different outcomes at once. */
async function resolve(actor: Actor, { order }: Listed): Promise<void> {
  const decide = (outcome: string) => {
    const args = ['--trade-no', order.tradeNo ?? '', '--outcome', outcome]
    return command(actor, RESOLVE, order.number, 'chargeback', 'resolve', ...args)
  }
  const outcomes = actor.random.chance(0.1) ? ['won', 'lost'] : [actor.random.chance(0.5) ? 'won' : 'lost']
  await Promise.all(outcomes.map(decide))
}

function partOfOrder({ order }: Listed): string {
  return wirePart(order.amount, order.currency, 2n, 3n).replace(/\.00$/, '')
}
