// Payments by transfer: the payer's money arrives in parts, too much, too late, or in another currency.
import fc from 'fast-check'
import type { Deposit, Outcome } from '../../src/rails/contract/channel.ts'
import type { Gateway } from '../gateway.ts'
import { mustPick, operation } from '../operation.ts'
import { cancelAttempt } from '../rules/attempts.ts'
import { receive } from '../rules/deposits.ts'
import type { Model, Order } from '../rules/facts.ts'
import { isByTransfer, type Method, methodNames, takes } from '../rules/methods.ts'
import { everyCurrency } from '../rules/money.ts'
import { isBusy } from '../rules/orders.ts'
import { cents, shareOf } from './amounts.ts'
import { acceptOrder, report } from './pay.ts'

const action = { kind: 'transfer', account: '1', accountKind: 'iban', payee: 'Shop' } as const

/** Methods paid by transfer, in each of their currencies. */
const ways = methodNames
  .filter(isByTransfer)
  .flatMap((method) =>
    everyCurrency.filter((one) => takes(method, one)).map((currency) => ({ method, currency })),
  )

export const openTransfer = operation({
  name: 'openTransfer',
  weight: 4,
  input: fc.record({
    shop: fc.nat(3),
    way: fc.oneof(
      { weight: 2, arbitrary: fc.constant({ method: 'sepa' as Method, currency: 'EUR' }) },
      { weight: 1, arbitrary: fc.constantFrom(...ways) },
    ),
    cents,
  }),
  async run(model, gateway, { shop, way, cents }) {
    const order = await acceptOrder(model, gateway, { shop: mustPick(model.shops, shop), ...way, cents })
    if (order === undefined) return
    gateway.count(`transfer by ${way.method}`)
    await report(
      gateway,
      order,
      { kind: 'pending', channelRef: `c-${order.tradeNo}-1`, action },
      { isFirst: true },
    )
    order.attempt = 'pending'
  },
})

/** Attempts that are paid by transfer. */
const transfers = ({ orders }: Model) =>
  orders.flatMap((order) =>
    order.tries.flatMap(({ method }, at) => (isByTransfer(method) ? { order, attempt: at + 1 } : [])),
  )
const open = (model: Model) =>
  transfers(model).filter(({ order, attempt }) => attempt === order.tries.length && isBusy(order))

type Arrived = { readonly attempt: number; readonly deposit: Deposit }
const arrived = new WeakMap<Order, Arrived[]>()

/** Reports a new deposit of the attempt. Every report lists all deposits of its attempt. */
async function comes(
  gateway: Gateway,
  order: Order,
  money: Deposit['money'],
  attempt: number,
): Promise<void> {
  const all = arrived.get(order) ?? []
  const depositRef = `d-${order.tradeNo}-${all.length}`
  all.push({ attempt, deposit: { depositRef, money, at: gateway.clock.now() } })
  arrived.set(order, all)
  const deposits = all.flatMap((one) => (one.attempt === attempt ? one.deposit : []))
  const outcome: Outcome = { kind: 'received', channelRef: `c-${order.tradeNo}-${attempt}`, deposits, action }
  await report(gateway, order, outcome, { attempt })
}

export const deposit = operation({
  name: 'deposit',
  weight: 8,
  input: fc.record({
    order: fc.nat(),
    share: fc.constantFrom(300, 500, 700, 1_000, 1_000, 1_000, 1_300),
    isForeign: fc.constantFrom(false, false, false, false, false, false, false, true),
  }),
  isPossible: (model) => transfers(model).length > 0,
  async run(model, gateway, { order: at, share, isForeign }) {
    const some = open(model)
    const { order, attempt } = mustPick(some.length > 0 && at % 4 > 0 ? some : transfers(model), at)
    const amount = shareOf(order.price, share)
    const other = order.currency === 'EUR' ? 'USD' : 'EUR'
    const currency = isForeign ? other : order.currency
    await comes(gateway, order, { amount, currency }, attempt)
    receive(model, order, { amount, currency, attempt })
  },
})

export const expireTransfer = operation({
  name: 'expireTransfer',
  weight: 2,
  input: fc.record({ order: fc.nat() }),
  isPossible: (model) => open(model).length > 0,
  async run(model, gateway, { order: at }) {
    const { order } = mustPick(open(model), at)
    await report(gateway, order, { kind: 'failed', cause: 'cancelled', message: 'Nobody paid in time' })
    cancelAttempt(model, order)
  },
})
