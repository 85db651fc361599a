import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { assertMoneySound } from '../../../../test/builders/paid-orders.ts'
import { aPlan, aShop, openPayments, type TestPayments } from '../../../../test/builders/payments.ts'
import {
  declines,
  isSilent,
  isUnreachable,
  type ScriptedChannel,
  scriptedChannel,
  waitsForPayer,
} from '../../../../test/counterparties/scripted-channel.ts'
import { useDatabase } from '../../../../test/harness/harness.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import { type FoundPayment, findPayment } from '../../order-queries/find-payment.ts'
import { readWholeDetails } from '../../order-queries/read-details.ts'
import type { NewPayment } from '../../orders/new-order.ts'
import { sealPersonal } from '../../orders/new-order.ts'
import { State } from '../../orders/order.ts'

let db: Db
let setup: TestPayments
let card: ScriptedChannel
let pix: ScriptedChannel
let sepa: ScriptedChannel
useDatabase({
  maxConnections: 30,
  before(database) {
    db = database.db
  },
  after: () => assertMoneySound(db),
})
beforeEach(() => {
  card = scriptedChannel('card')
  pix = scriptedChannel('pix', 'pix')
  sepa = scriptedChannel('sepa', 'sepa')
  setup = openPayments(db, [card, pix, sepa])
})

async function found(payment: NewPayment): Promise<FoundPayment> {
  const order = await findPayment(db, payment)
  assert.ok(order)
  return order
}

describe('an attempt on our page', () => {
  it('pays an order that had none', async () => {
    const payment = await setup.hosted()
    const before = await found(payment)
    assert.deepEqual(
      { attempt: before.attempt, attempts: before.attempts, method: before.method },
      { attempt: undefined, attempts: 0, method: undefined },
    )
    assert.deepEqual(before.expiresAt, payment.hosted?.expiresAt)
    assert.equal((await setup.start(payment)).kind, 'started')
    const { state, method, attempts, attempt } = await found(payment)
    assert.deepEqual(
      { state, method, attempts, channel: attempt?.channel },
      { state: State.succeeded, method: 'card', attempts: 1, channel: 'card' },
    )
  })

  it('starts once, however often the form is sent concurrently', async () => {
    const payment = await setup.hosted()
    const started = await Promise.all(Array.from({ length: 20 }, () => setup.start(payment)))
    const kinds = started.map(({ kind }) => kind).sort()
    assert.deepEqual(kinds, [...Array(19).fill('stale'), 'started'].sort())
    assert.equal(card.started.length, 1)
    assert.equal((await found(payment)).attempts, 1)
  })

  it('leaves the order open after a decline, four times, and fails it after the fifth', async () => {
    card.says.start = declines
    const payment = await setup.hosted()
    for (const attempts of [0, 1, 2, 3]) {
      await setup.start(payment, { attempts })
      const { state, attempt } = await found(payment)
      assert.deepEqual(
        { state, attempt: attempt?.state, message: attempt?.message },
        { state: 1, attempt: 'failed', message: 'Declined by the bank' },
      )
    }
    await setup.start(payment, { attempts: 4 })
    assert.equal((await found(payment)).state, State.failed)
    assert.equal((await setup.start(payment, { attempts: 5 })).kind, 'stale')
  })

  it('goes to the next channel if one fails', async () => {
    const [one, two] = [scriptedChannel('one'), scriptedChannel('two')]
    one.says.start = isUnreachable
    const routes = [one, two].map(({ name }, at) => ({ channel: name, priority: at + 1, weight: 1 }))
    const other = openPayments(db, [one, two])
    const payment = await other.hosted()
    await other.start(payment, {}, aShop({ routes: new Map([['card', routes]]) }))
    const { state, attempts, attempt } = await found(payment)
    assert.deepEqual(
      { state, attempts, channel: attempt?.channel },
      { state: State.succeeded, attempts: 2, channel: 'two' },
    )
  })

  for (const [standing, prepare] of [
    ['a form from before another attempt', async (payment: NewPayment) => void (await setup.start(payment))],
    ['an order whose time is over', async () => setup.pass(30 * 60_000)],
  ] as const)
    it(`is not started by ${standing}`, async () => {
      card.says.start = declines
      const payment = await setup.hosted()
      await prepare(payment)
      const before = card.started.length
      assert.equal((await setup.start(payment)).kind, 'stale')
      assert.equal(card.started.length, before)
    })

  for (const [standing, says] of [
    ['waits for its payer', waitsForPayer],
    ['is unknown', isSilent],
  ] as const)
    it(`is not started while another ${standing}`, async () => {
      card.says.start = says
      const payment = await setup.hosted()
      await setup.start(payment)
      assert.equal((await setup.start(payment, { attempts: 1 })).kind, 'stale')
    })

  it('is refused where the merchant does not offer it, and the order stays open', async () => {
    const payment = await setup.hosted()
    const fixed = await setup.hosted({
      method: 'pix',
      hosted: { method: 'pix', expiresAt: new Date(setup.clock.now().getTime() + 1000) },
    })
    const cases = [
      [payment, aShop({ methods: new Set(['pix']) }), '10011'],
      [payment, aShop({ cardBrands: new Set(['mastercard']) }), '10012'],
      [payment, aShop({ state: 'suspended' }), '10005'],
      [fixed, aShop(), '10011'],
    ] as const
    for (const [order, merchant, code] of cases) {
      const started = await setup.start(order, {}, merchant)
      assert.ok(started.kind === 'refused', started.kind)
      assert.equal(started.refusal.code, code)
    }
    const inDollars = await setup.start(payment, { method: 'pix' })
    assert.ok(inDollars.kind === 'refused' && inDollars.refusal.code === '10019')
    assert.deepEqual(
      { state: (await found(payment)).state, started: card.started.length },
      { state: State.processing, started: 0 },
    )
  })

  it("passes the merchant's and the payer's fields to the channel, and stores the payer's", async () => {
    const payment = await setup.hosted({ details: { language: 'es', billingCity: '' } })
    const sealed = sealPersonal(setup.deps.vault, payment.tradeNo, { socialSecurityNumber: '1' })
    await db.query({
      text: 'update order_details set sealed = $2 where trade_no = $1',
      values: [payment.tradeNo, sealed],
    })
    await setup.start(payment, { details: { billingCity: 'Lima' }, personal: { taxNumber: '2' } })
    const [request] = card.started
    assert.deepEqual(request?.details, { language: 'es', billingCity: 'Lima' })
    assert.deepEqual(request?.personal, { socialSecurityNumber: '1', taxNumber: '2' })
    const [row] = await db.query<{ details: object; sealed: Buffer; card_last4: string }>({
      text: 'select details, sealed, card_last4 from attempts where trade_no = $1',
      values: [payment.tradeNo],
    })
    assert.deepEqual(
      { details: row?.details, card_last4: row?.card_last4 },
      { details: { billingCity: 'Lima' }, card_last4: '4242' },
    )
    assert.ok(!row?.sealed.includes('taxNumber'))
    const whole = await readWholeDetails(setup.deps, payment)
    assert.deepEqual(whole.personal, { socialSecurityNumber: '1' })
  })
})

describe('the method that a payer chooses', () => {
  const reais = { amount: 1000n, currency: 'BRL' }
  const shop = () =>
    aShop({
      currencies: new Map([['BRL', 'BRL']]),
      feePlans: new Map([
        ['', aPlan({ feeBps: 100 })],
        ['pix', aPlan({ feeBps: 250, settleDays: 3 })],
      ]),
    })

  it('has its own terms, which the next method replaces', async () => {
    pix.says.start = declines
    card.says.start = () => ({ kind: 'succeeded', money: reais, channelRef: 'charge-1' })
    const payment = await setup.hosted({ money: reais })
    const terms = async () => {
      const [row] = await db.query<{ method: string; fee_bps: number; settle_days: number }>({
        text: 'select method, fee_bps, settle_days from orders where trade_no = $1',
        values: [payment.tradeNo],
      })
      return row
    }
    await setup.start(payment, { method: 'pix', card: undefined }, shop())
    assert.deepEqual(await terms(), { method: 'pix', fee_bps: 250, settle_days: 3 })
    await setup.start(payment, { attempts: 1 }, shop())
    assert.deepEqual(await terms(), { method: 'card', fee_bps: 100, settle_days: 1 })
    assert.equal((await found(payment)).handlingFee, 10n)
  })

  it("counts against the platform's limit of that method, and no longer of the previous one", async () => {
    const limit = { daily: 1500n, monthly: 15_000n }
    setup.limits.set('pix', limit).set('card', limit)
    pix.says.start = declines
    card.says.start = declines
    const used = async () => {
      const rows = await db.query<{ method: string; used: bigint }>({
        text: `select method, used from limit_usage where mer_no = 0 and length(period) = 10 order by method`,
      })
      return Object.fromEntries(rows.map((row) => [row.method, row.used]))
    }
    const payment = await setup.hosted({ money: reais })
    await setup.start(payment, { method: 'pix' }, shop())
    assert.deepEqual(await used(), { pix: 1000n })
    await setup.start(payment, { attempts: 1 }, shop())
    assert.deepEqual(await used(), { card: 1000n, pix: 0n })
    const second = await setup.hosted({ money: reais })
    const over = await setup.start(second, {}, shop())
    assert.ok(over.kind === 'refused' && over.refusal.code === '10016')
    assert.deepEqual(await used(), { card: 1000n, pix: 0n })
    await setup.start(payment, { attempts: 2, method: 'pix' }, shop())
    assert.equal((await setup.start(second, {}, shop())).kind, 'started')
  })

  it('decides whether the money is reviewed; a payment that an operator picked stays picked', async () => {
    const euros = { amount: 2_000_000n, currency: 'EUR' }
    const merchant = aShop({ currencies: new Map([['EUR', 'EUR']]) })
    sepa.says.start = declines
    card.says.start = declines
    const reviewed = async ({ tradeNo }: NewPayment) => {
      const rows = await db.query<{ needs_review: boolean }>({
        text: 'select needs_review from orders where trade_no = $1',
        values: [tradeNo],
      })
      return rows[0]?.needs_review
    }
    const payment = await setup.hosted({ money: euros })
    await setup.start(payment, { method: 'sepa' }, merchant)
    assert.equal(await reviewed(payment), true)
    await setup.start(payment, { attempts: 1 }, merchant)
    assert.equal(await reviewed(payment), false)
    const picked = await setup.hosted({ money: euros, needsReview: true })
    await setup.start(picked, {}, merchant)
    assert.equal(await reviewed(picked), true)
  })

  it("uses the merchant's own review threshold before the method's, and reviews payments above it", async () => {
    const merchant = aShop({ currencies: new Map([['EUR', 'EUR']]), reviewAbove: 50_000n })
    for (const [amount, state] of [
      [50_000n, State.succeeded],
      [50_001n, State.informationAsked],
    ] as const) {
      const money = { amount, currency: 'EUR' }
      sepa.says.start = () => ({ kind: 'succeeded', money, channelRef: `charge-${amount}` })
      const payment = await setup.hosted({ money })
      await setup.start(payment, { method: 'sepa' }, merchant)
      assert.equal((await found(payment)).state, state)
    }
  })
})
