// Refunds: full, partial, several at once, repeated, failing, and above the remaining amount.
import { callGateway } from '../call-gateway.ts'
import type { Actor, Operation } from '../operation.ts'
import { type Answer, isAccepted, isUnclear, outcomeOf, type SentOrder, type SentRefund } from '../witness.ts'
import { FAILS, hasDecimals, isPositive, minus, wirePart } from './amounts.ts'
import type { Listed } from './look-up.ts'
import { notifyUrlOf } from './order-body.ts'
import { pickPayment } from './pick-order.ts'

const PATH = '/refund/apply'
const SUCCEEDED = 5
const REFUNDING = 10
const DISPUTED = 12
const MAX_RECENT = 500

type Refunding = (actor: Actor, by: string, listed: Listed) => Promise<unknown>

type Way = {
  readonly name: string
  readonly weight: number
  /** The order states in which this refund is tried. */
  readonly states: readonly number[]
  readonly run: Refunding
}

const states = [SUCCEEDED, REFUNDING]

const ways: readonly Way[] = [
  {
    name: 'refund the rest',
    weight: 10,
    states,
    run: (actor, by, listed) => refundOnce(actor, by, listed.order, leftOf(listed)),
  },
  {
    name: 'refund a part',
    weight: 14,
    states,
    run: (actor, by, listed) => refundOnce(actor, by, listed.order, partly(listed, 3n)),
  },
  { name: 'refund several parts at once', weight: 6, states, run: refundAtOnce },
  { name: 'refund twice with one number', weight: 6, states, run: refundTwice },
  { name: 'refund with a used number', weight: 4, states, run: refundWithUsedNumber },
  {
    name: 'refund that fails',
    weight: 4,
    states,
    run: async (actor, by, { order }) => {
      if (hasDecimals(order.currency)) await refundOnce(actor, by, order, FAILS)
    },
  },
  {
    name: 'refund too much',
    weight: 4,
    states,
    run: (actor, by, { order }) =>
      refundOnce(actor, by, order, wirePart(order.amount, order.currency, 2n, 1n)),
  },
  {
    name: 'refund a disputed order',
    weight: 4,
    states: [DISPUTED],
    run: (actor, by, listed) => refundOnce(actor, by, listed.order, partly(listed, 2n)),
  },
]

export const refunds: readonly Operation[] = ways.map((way) => ({
  name: way.name,
  weight: way.weight,
  async run(actor) {
    const listed = await pickPayment(actor, way)
    if (listed !== undefined) await way.run(actor, way.name, listed)
  },
}))

function leftOf({ order, refunded }: Listed): string {
  return minus(order.amount, refunded)
}

function partly(listed: Listed, by: bigint): string {
  return wirePart(leftOf(listed), listed.order.currency, 1n, by)
}

export async function refundOnce(actor: Actor, by: string, order: SentOrder, amount: string): Promise<void> {
  if (!isPositive(amount)) return
  const refund = recordRefund(actor, order, amount)
  const answer = await apply(actor, by, refund)
  // A merchant who got no clear answer may send the same refund again.
  if (isUnclear(answer) && actor.random.chance(0.6)) await apply(actor, by, refund)
  noteNumbers(actor, refund)
}

/** Sends four concurrent refunds that together exceed the amount that can still be refunded. */
async function refundAtOnce(actor: Actor, by: string, listed: Listed): Promise<void> {
  const parts = Array.from({ length: 4 }, () => partly(listed, 3n))
  await Promise.all(parts.map((part) => refundOnce(actor, by, listed.order, part)))
}

async function refundTwice(actor: Actor, by: string, listed: Listed): Promise<void> {
  const amount = partly(listed, 4n)
  if (!isPositive(amount)) return
  const refund = recordRefund(actor, listed.order, amount)
  await Promise.all([apply(actor, by, refund), apply(actor, by, refund)])
  await apply(actor, by, refund)
  noteNumbers(actor, refund)
}

/** Sends another amount under the number of an accepted refund. The gateway must refuse this request. */
async function refundWithUsedNumber(actor: Actor, by: string, listed: Listed): Promise<void> {
  const { order } = listed
  const amount = partly(listed, 4n)
  const other = partly(listed, 5n)
  if (!isPositive(other) || amount === other) return
  const refund = recordRefund(actor, order, amount)
  if (!isAccepted(await apply(actor, by, refund))) return
  const { world, shop } = actor
  const answer = await callGateway(shop, PATH, bodyOf(actor, { ...refund, amount: other }))
  world.history.add(`${PATH} with another amount ${answer.kind}`, refund.number, answer)
  world.witness.count(`${by}, again`, outcomeOf(answer))
  world.witness.comparisons += 1
  if (isAccepted(answer))
    world.witness.violations.push({
      what: `merRefundNo ${refund.number} was accepted with two amounts`,
      about: refund.number,
      rows: { amount, other, answer },
    })
}

function recordRefund({ world }: Actor, order: SentOrder, amount: string): SentRefund {
  const number = world.witness.newNumber('R')
  const wasDisputed = order.lastListed?.state === DISPUTED
  const refund: SentRefund = { order, number, amount, wasDisputed, answers: [], lastQueried: undefined }
  world.witness.refunds.set(refund.number, refund)
  return refund
}

async function apply(actor: Actor, by: string, refund: SentRefund): Promise<Answer> {
  const { world, shop } = actor
  const body = bodyOf(actor, refund)
  world.history.add(`${PATH} sent`, refund.number, body)
  const answer = await callGateway(shop, PATH, body)
  world.history.add(`${PATH} ${answer.kind}`, refund.number, answer)
  world.history.add(`${PATH} ${answer.kind}`, refund.order.number, {
    merRefundNo: refund.number,
    amount: refund.amount,
    answer,
  })
  world.witness.count(by, outcomeOf(answer))
  refund.answers.push(answer)
  if (isAccepted(answer)) world.witness.recentRefunds.push(refund)
  if (world.witness.recentRefunds.length > MAX_RECENT) world.witness.recentRefunds.shift()
  return answer
}

function bodyOf(actor: Actor, { order, number, amount }: SentRefund): Record<string, unknown> {
  return {
    merNo: actor.shop.merNo,
    merOrderNo: order.number,
    tradeNo: order.tradeNo ?? '',
    amount,
    merRefundNo: number,
    notifyUrl: notifyUrlOf(actor, 'refund'),
    operationType: 'refund',
    version: 'V3.0.0',
  }
}

/** Records a violation if requests with the same number and content became several refunds. */
function noteNumbers({ world }: Actor, { number, answers }: SentRefund): void {
  const accepted = answers.flatMap((answer) =>
    answer.kind === 'answered' && answer.code === '00000' ? [String(answer.data.refundNo)] : [],
  )
  if (accepted.length < 2) return
  world.witness.comparisons += 1
  if (new Set(accepted).size > 1)
    world.witness.violations.push({
      what: `merRefundNo ${number} became several refunds`,
      about: number,
      rows: accepted,
    })
}
