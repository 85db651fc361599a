import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aHosted } from '../../../test/builders/builders.ts'
import { aPlan, aShop, openPayments, type TestPayments } from '../../../test/builders/payments.ts'
import {
  isSilent,
  type ScriptedChannel,
  scriptedChannel,
} from '../../../test/counterparties/scripted-channel.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import { waitUntilSomebodyWaits } from '../../../test/harness/lock-waits.ts'
import { findPayment } from '../order-queries/find-payment.ts'
import { acceptPayments } from '../payments/accept-payments.ts'
import { closeExpired } from '../payments/hosted/worker.ts'
import { findLink, readResults } from './find-link.ts'
import { makeLink } from './make-link.ts'
import { MOST_OPEN, orderByLink } from './order-by-link.ts'
import type { PaymentLink } from './payment-link.ts'
import { lockLink } from './sql.ts'

const shop = aShop({
  currencies: new Map([['EUR', 'EUR']]),
  feePlans: new Map([['', aPlan()]]),
  limits: { single: 1_000_000n, daily: 10_000_000n, monthly: 100_000_000n },
})

let card: ScriptedChannel
let setup: TestPayments
const database = useDatabase({
  maxConnections: 20,
  before({ db }) {
    card = scriptedChannel('card')
    setup = openPayments(db, [card])
  },
})

function make(changes: Partial<PaymentLink> = {}): Promise<PaymentLink> {
  const wanted = {
    merNo: shop.merNo,
    title: 'Lamp',
    currency: 'EUR',
    amount: 2400n,
    least: undefined,
    most: undefined,
    method: undefined,
    uses: 'one',
    expiresAt: undefined,
    language: '',
    reference: '',
    notifyUrl: '',
    createdBy: 'owner@shop.example',
    createdAt: setup.clock.now(),
    ...changes,
  } as const
  return makeLink(database.db, wanted, async () => {})
}

async function begin(link: PaymentLink): Promise<string> {
  const ordered = await orderByLink(setup.deps, shop, link, 2400n)
  assert.ok(ordered.kind === 'order', JSON.stringify(ordered))
  return ordered.tradeNo
}

async function paymentOf(tradeNo: string) {
  const payment = await findPayment(database.db, { merNo: shop.merNo, tradeNo })
  assert.ok(payment)
  return payment
}

describe('the order of a payment link', () => {
  it('keeps the link while its outcome is unknown, and gives it back when it expires', async () => {
    card.says.start = isSilent
    const link = await make()
    const first = await begin(link)
    await setup.start(aHosted({ merNo: shop.merNo, tradeNo: first }), {}, shop)
    setup.pass(31 * 60_000)
    await closeExpired(setup.deps)
    assert.equal(await begin(link), first, 'nobody knows yet whether it was paid')

    const other = await make()
    const second = await begin(other)
    setup.pass(31 * 60_000)
    assert.equal(await begin(other), second)
    await closeExpired(setup.deps)
    const third = await begin(other)
    assert.notEqual(third, second)
    assert.equal((await paymentOf(second)).state, 7)
  })

  it('and the claim exist together, or neither does', async () => {
    const link = await make({ amount: 2_000_000n })
    const refused = await orderByLink(setup.deps, shop, link, 2_000_000n)
    assert.equal(refused.kind, 'refused')
    const suspended = await orderByLink(setup.deps, { ...shop, state: 'suspended' }, link, 100n)
    assert.ok(suspended.kind === 'refused' && suspended.refusal.code === '10005')
    assert.equal((await findLink(database.db, link.linkId))?.claim, undefined)
    assert.equal((await readResults(database.db, link)).orders, 0)
  })

  it('is the same for all who open a link for one use at the same time', async () => {
    const link = await make()
    const begun = await database.db.transaction(async (tx) => {
      await lockLink(tx, link, 'for share')
      const all = [begin(link), begin(link), begin(link)]
      await waitUntilSomebodyWaits(database.db, 'for update', all.length)
      return all
    })
    assert.equal(new Set(await Promise.all(begun)).size, 1)
    assert.equal((await readResults(database.db, link)).orders, 1)
  })

  it('is not made while too many others wait for their payers', async () => {
    const link = await make({ uses: 'many' })
    const at = setup.clock.now()
    const waiting = Array.from({ length: MOST_OPEN }, () => aHosted({ merNo: shop.merNo, createdAt: at }))
    await acceptPayments(database.db, waiting)
    await database.db.query({
      text: `insert into payment_link_orders (mer_no, link_id, trade_no, created_at)
        select mer_no, $1, trade_no, created_at from orders where created_at = $2`,
      values: [link.linkId, at],
    })
    assert.deepEqual(await orderByLink(setup.deps, shop, link, 2400n), { kind: 'full' })
    setup.pass(31 * 60_000)
    await closeExpired(setup.deps)
    await begin(link)
    assert.deepEqual((await readResults(database.db, link)).open, 1)
  })
})
