// Payments: accepted in lists of several merchants; outcomes are reported immediately, or later if the channel did not
// respond.
import assert from 'node:assert/strict'
import { acceptPayments } from '../../src/payments/accept-payments.ts'
import { preparePayment } from '../../src/payments/prepare-payment.ts'
import { recordOutcomes } from '../../src/payments/record-outcomes.ts'
import { aDecline, aSuccess } from '../builders.ts'
import { type Random, wireAmount } from '../random.ts'
import { currencies, type Shop, shops } from './shops.ts'
import type { ModelOrder, Move, World } from './world.ts'

type Wanted = {
  readonly shop: Shop
  readonly currencyCode: string
  readonly sourceAmount: string
  readonly charged: boolean
  readonly silent: boolean
}

let count = 0

export function payMove(world: World, random: Random): Move {
  const wanted = Array.from({ length: 1 + random.below(4) }, (): Wanted => {
    const currencyCode = random.pick(currencies) ?? 'USD'
    return {
      shop: random.pick(shops) ?? shopless(),
      currencyCode,
      sourceAmount: wireAmount(random, currencyCode),
      charged: random.chance(0.85),
      silent: random.chance(0.2),
    }
  })
  return { name: `pay ${wanted.map(describe).join(', ')}`, run: () => pay(world, wanted) }
}

function describe({ shop, currencyCode, sourceAmount, charged, silent }: Wanted): string {
  return `${shop.merchant.merNo} ${sourceAmount} ${currencyCode}${charged ? '' : ' declined'}${silent ? ' silent' : ''}`
}

async function pay(world: World, wanted: readonly Wanted[]): Promise<void> {
  const prepared = await Promise.all(wanted.map((one) => prepare(world, one)))
  const accepted = await acceptPayments(
    world.db,
    prepared.map(({ order }) => order.payment),
  )
  const orders = prepared.filter(({ order }, at) => {
    const answer = accepted[at]
    world.count(`payment ${answer?.kind === 'refused' ? answer.refusal.code : 'accepted'}`)
    if (answer?.kind === 'accepted') world.orders.set(order.payment.tradeNo, order)
    return answer?.kind === 'accepted'
  })
  const silent = orders.filter((one) => one.silent).map(({ order }) => order)
  const unknown = { kind: 'unknown', why: 'no answer' } as const
  await record(
    world,
    silent.map(({ payment }) => aSuccess(payment, { outcome: unknown, at: world.clock.now() })),
  )
  await report(
    world,
    orders.filter((one) => !one.silent).map(({ order }) => order),
  )
}

async function prepare(world: World, { shop, charged, silent, ...sums }: Wanted) {
  const { payment } = await preparePayment(world.deps, shop.merchant, 'card', {
    ...sums,
    merOrderNo: `model-${++count}`,
    returnUrl: 'https://shop.example/back',
    notifyUrl: 'https://shop.example/notify',
    protestNotifyUrl: '',
    card: { number: '4242424242424242', expiryMonth: '12', expiryYear: '2039', securityCode: '123' },
    personal: {},
    details: {},
  })
  const order: ModelOrder = { shop, payment, charged, standing: 'open', rate: undefined, chargebacks: [] }
  return { order, silent }
}

function record(world: World, reports: Parameters<typeof recordOutcomes>[1]) {
  return recordOutcomes({ db: world.db, rates: world.rates }, reports)
}

/** Their true outcomes. */
async function report(world: World, orders: readonly ModelOrder[]): Promise<void> {
  const at = world.clock.now()
  const recorded = await record(
    world,
    orders.map(({ payment, charged }) =>
      charged ? aSuccess(payment, { at }) : { ...aDecline(payment), at },
    ),
  )
  for (const [index, order] of orders.entries()) {
    const { currency } = order.payment.money
    const { settleCurrency } = order.payment.terms
    assert.equal(recorded[index]?.attemptState, order.charged ? 'succeeded' : 'failed')
    assert.equal(recorded[index]?.alarm, undefined)
    if (order.standing !== 'open') continue
    order.standing = order.charged ? 'succeeded' : 'failed'
    order.rate = settleCurrency === currency ? undefined : world.rates.find(currency, settleCurrency)
    world.count(`payment ${order.standing}`)
  }
}

/** A query found the outcome: by one node, or by several at the same moment. */
export function resolveMove(world: World, random: Random): Move | undefined {
  const open = [...world.orders.values()].filter(({ standing }) => standing === 'open')
  const order = random.pick(open)
  if (order === undefined) return undefined
  const times = 1 + random.below(3)
  const run = async () =>
    void (await Promise.all(Array.from({ length: times }, () => report(world, [order]))))
  return { name: `resolve ${order.payment.tradeNo} ×${times}`, run }
}

function shopless(): never {
  throw new Error('there are shops')
}
