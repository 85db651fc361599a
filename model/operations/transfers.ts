// Payments by transfer: the payer's money arrives in parts, too much, too late, or in another currency.
import fc from 'fast-check'
import type { Deposit, Outcome } from '../../src/rails/contract/channel.ts'
import type { Gateway } from '../gateway.ts'
import { mustPick, operation } from '../operation.ts'
import { expire, receive } from '../rules/deposits.ts'
import type { Model, Order } from '../rules/facts.ts'
import { cents, shareOf } from './amounts.ts'
import { acceptOrder, report } from './pay.ts'

const action = { kind: 'transfer', account: '1', accountKind: 'iban', payee: 'Shop' } as const

export const openTransfer = operation({
  name: 'openTransfer',
  weight: 4,
  input: fc.record({ shop: fc.nat(3), cents }),
  async run(model, gateway, { shop, cents }) {
    const wanted = { shop: mustPick(model.shops, shop), method: 'sepa' as const, currency: 'EUR', cents }
    const order = await acceptOrder(model, gateway, wanted)
    await report(
      gateway,
      order,
      { kind: 'pending', channelRef: `c-${order.tradeNo}`, action },
      { isFirst: true },
    )
    order.attempt = 'pending'
  },
})

const transfers = ({ orders }: Model) => orders.filter(({ method }) => method === 'sepa')
const open = (model: Model) => transfers(model).filter(({ standing }) => standing === 'open')

const arrived = new WeakMap<Order, Deposit[]>()

/** Every report lists all deposits of the order. */
async function comes(gateway: Gateway, order: Order, amount: bigint, currency: string): Promise<void> {
  const all = arrived.get(order) ?? []
  const depositRef = `d-${order.tradeNo}-${all.length}`
  all.push({ depositRef, money: { amount, currency }, at: gateway.clock.now() })
  arrived.set(order, all)
  const outcome: Outcome = { kind: 'received', channelRef: `c-${order.tradeNo}`, deposits: [...all], action }
  await report(gateway, order, outcome)
}

export const deposit = operation({
  name: 'deposit',
  weight: 8,
  input: fc.record({
    order: fc.nat(),
    share: fc.constantFrom(300, 500, 700, 1_000, 1_000, 1_000, 1_300),
    currency: fc.constantFrom('EUR', 'EUR', 'EUR', 'EUR', 'EUR', 'EUR', 'EUR', 'USD'),
  }),
  isPossible: (model) => transfers(model).length > 0,
  async run(model, gateway, { order: at, share, currency }) {
    const some = open(model)
    const order = mustPick(some.length > 0 && at % 4 > 0 ? some : transfers(model), at)
    const amount = shareOf(order.price, share)
    await comes(gateway, order, amount, currency)
    receive(model, order, { amount, currency, attempt: 1 })
  },
})

export const expireTransfer = operation({
  name: 'expireTransfer',
  weight: 2,
  input: fc.record({ order: fc.nat() }),
  isPossible: (model) => open(model).length > 0,
  async run(model, gateway, { order: at }) {
    const order = mustPick(open(model), at)
    await report(gateway, order, { kind: 'failed', cause: 'cancelled', message: 'Nobody paid in time' })
    expire(model, order)
  },
})
