// The plugin in a real Medusa: carts paid on the gateway's page, the race of notification and returning payer, refunds,
// cancellations, amounts. What counts is what Medusa and the gateway have stored in the end.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { signNotification } from '../../sdk/src/testing.ts'
import { DECLINED_CARD, payByCard } from '../../test/harness/card-payer.ts'
import { eventually } from '../../test/harness/eventually.ts'
import { type Gateway, openGateway } from './gateway.ts'
import { type Answer, type MedusaShop, openMedusaShop, record, type Session } from './medusa-shop.ts'

let gateway: Gateway
let shop: MedusaShop

before(async () => {
  gateway = await openGateway()
  shop = await openMedusaShop(gateway)
})
after(async () => {
  await shop?.close()
  await gateway?.close()
})

async function newSession(currency: 'eur' | 'jpy' = 'eur', quantity = 2): Promise<Session> {
  return shop.newSession(await shop.newCart(currency, quantity))
}

/** Sends the notification that the gateway sends, at a moment of the test's choice. */
async function notify({ merOrderNo }: Session): Promise<Response> {
  const tradeNo = (await gateway.merchant.findPayment(merOrderNo))?.tradeNo ?? ''
  const data = { tradeNo, merOrderNo, code: '0', message: 'Paid' } as const
  const signed = await signNotification('payment', data, signer())
  return fetch(shop.notifyUrl, { method: 'POST', ...signed })
}

function signer() {
  return { key: gateway.settings.key, webhookSecret: gateway.webhookSecret }
}

type Stored = {
  orders: number
  payments: number
  captures: number
  captured: string | null
  paid: string | null
}

/** Counts the orders, payments and captures that Medusa has stored for this cart, and sums up the money. */
async function stored(cartId: string): Promise<Stored> {
  const [row] = await shop.database.query<Stored>(
    `select (select count(*)::int from order_cart where cart_id = $1 and deleted_at is null) as orders,
       count(distinct payment.id)::int as payments, count(capture.id)::int as captures,
       sum(capture.amount)::text as captured,
       (select sum(amount)::text from order_transaction join order_cart link using (order_id)
          where link.cart_id = $1 and link.deleted_at is null) as paid
     from cart_payment_collection link
       join payment using (payment_collection_id) left join capture on capture.payment_id = payment.id
     where link.cart_id = $1`,
    [cartId],
  )
  assert.ok(row)
  return row
}

/** Medusa stores an order, its payment and its transactions one after the other. */
async function assertStored({ cartId }: Session, expected: Stored, message?: string): Promise<void> {
  await eventually(async () => isDeepStrictEqual(await stored(cartId), expected))
  assert.deepEqual(await stored(cartId), expected, message ?? 'what Medusa has stored')
}

async function orderOf(session: Session): Promise<string> {
  await eventually(async () => (await stored(session.cartId)).orders === 1)
  const { body, status } = await shop.complete(session.cartId)
  assert.equal(status, 200, JSON.stringify(body))
  return String(record(body.order).id)
}

async function paymentOf({ id }: Session): Promise<string> {
  const rows = await shop.database.query<{ id: string }>(
    'select id from payment where payment_session_id = $1',
    [id],
  )
  return rows[0]?.id ?? ''
}

function isOrder({ status, body }: Answer): boolean {
  return status === 200 && body.type === 'order'
}

const amounts = { captured: '24.69', paid: '24.69' }
const once = { orders: 1, payments: 1, captures: 1, ...amounts }

describe('a shop', () => {
  for (const [changes, why] of [
    [{ key: '' }, /key is missing/],
    [{ key: 'fifteen-letters' }, /key has fewer than 16 characters/],
    [{ webhookSecret: '' }, /webhookSecret is missing/],
  ] as const)
    it(`does not start with ${JSON.stringify(changes)}`, async () => {
      await assert.rejects(openMedusaShop(gateway, changes), why)
    })
})

describe('a paid cart', () => {
  it('becomes one order when the payer returns', async () => {
    const session = await newSession()
    await payByCard(session.payUrl)
    assert.ok(isOrder(await shop.complete(session.cartId)))
    await assertStored(session, once)
    const paid = await gateway.merchant.findPayment(session.merOrderNo)
    assert.deepEqual({ amount: paid?.amount, currency: paid?.currency }, { amount: '24.69', currency: 'EUR' })
  })

  it('becomes one order by the notification alone', async () => {
    const session = await newSession()
    await payByCard(session.payUrl)
    await assertStored(session, once)
  })

  it('becomes one order when both come at once, often, in every order', async () => {
    for (const calls of ['nrnr', 'rnrn', 'nnrr', 'rrnn']) {
      const session = await newSession()
      await payByCard(session.payUrl)
      await Promise.all(
        [...calls].map((call) => (call === 'n' ? notify(session) : shop.complete(session.cartId))),
      )
      await orderOf(session)
      assert.equal((await notify(session)).status, 200)
      await assertStored(session, once, calls)
    }
  })

  it('has whole yen in a currency without decimals', async () => {
    const session = await newSession('jpy', 3)
    await payByCard(session.payUrl)
    await orderOf(session)
    const paid = await gateway.merchant.findPayment(session.merOrderNo)
    assert.deepEqual(
      { amount: paid?.amount, currency: paid?.currency },
      { amount: '3600.00', currency: 'JPY' },
    )
    assert.equal((await stored(session.cartId)).captured, '3600')
  })
})

describe('a cart that is not paid', () => {
  it('stays a cart while the payer has not paid, and after a decline', async () => {
    const session = await newSession()
    assert.equal(isOrder(await shop.complete(session.cartId)), false)
    await payByCard(session.payUrl, DECLINED_CARD)
    assert.equal(isOrder(await shop.complete(session.cartId)), false)
    // Another try on the same page.
    await payByCard(session.payUrl)
    await orderOf(session)
    await assertStored(session, once)
  })

  it('is not completed while the gateway does not answer, and nothing is lost by that', async () => {
    const session = await newSession()
    await gateway.without(async () => {
      assert.equal(isOrder(await shop.complete(session.cartId)), false)
      const data = { tradeNo: 'T1', merOrderNo: session.merOrderNo, code: '0', message: '' } as const
      const signed = await signNotification('payment', data, signer())
      assert.equal((await fetch(shop.notifyUrl, { method: 'POST', ...signed })).status, 500)
    })
    await payByCard(session.payUrl)
    await orderOf(session)
    await assertStored(session, once)
  })

  it('is not completed by another amount, another currency or a forged notification', async () => {
    for (const change of [{ amount: '24.68' }, { currency: 'USD' }]) {
      const session = await newSession()
      await shop.database.query('update payment_session set data = data || $2 where id = $1', [
        session.id,
        change,
      ])
      await payByCard(session.payUrl)
      assert.equal(isOrder(await shop.complete(session.cartId)), false)
      assert.equal((await stored(session.cartId)).payments, 0)
    }
    const session = await newSession()
    const data = { tradeNo: 'T1', merOrderNo: session.merOrderNo, code: '0', message: '' } as const
    const forged = await signNotification('payment', data, { key: 'another key' })
    assert.equal((await fetch(shop.notifyUrl, { method: 'POST', ...forged })).status, 400)
    assert.equal((await stored(session.cartId)).orders, 0)
  })
})

describe('a cart that changes while its page is open', () => {
  it('gets a new page, and money that comes for the old one goes back', async () => {
    const old = await newSession()
    const { status } = await shop.addToCart(old.cartId, 1)
    assert.equal(status, 200)
    const session = await shop.newSession(old.cartId)
    assert.notEqual(session.merOrderNo, old.merOrderNo)
    await payByCard(old.payUrl)
    assert.ok(await eventually(async () => (await stateOf(old)) === 9))
    assert.equal((await stored(old.cartId)).orders, 0)
    await payByCard(session.payUrl)
    await orderOf(session)
    assert.equal((await stored(old.cartId)).captured, '37.035')
  })

  it('keeps a session that is paid: nobody pays twice', async () => {
    const session = await newSession()
    await payByCard(session.payUrl)
    const again = await shop.trySession(session.cartId)
    assert.notEqual(again.status, 200)
    await orderOf(session)
    assert.equal((await stored(session.cartId)).orders, 1)
  })
})

async function stateOf({ merOrderNo }: Session): Promise<number | undefined> {
  return (await gateway.merchant.findPayment(merOrderNo))?.item.state
}

async function refundedOf({ merOrderNo }: Session): Promise<string | undefined> {
  return (await gateway.merchant.findPayment(merOrderNo))?.item.refundAmount
}

describe('refunds', () => {
  it('give back a part, then the rest, and nothing more', async () => {
    const session = await newSession()
    await payByCard(session.payUrl)
    await orderOf(session)
    const path = `/payments/${await paymentOf(session)}/refund`
    assert.equal((await shop.admin('POST', path, { amount: 4.69 })).status, 200)
    assert.equal(await refundedOf(session), '4.69')
    assert.equal((await shop.admin('POST', path, { amount: 20 })).status, 200)
    assert.deepEqual(
      { refunded: await refundedOf(session), state: await stateOf(session) },
      { refunded: '24.69', state: 9 },
    )
    assert.notEqual((await shop.admin('POST', path, { amount: 1 })).status, 200)
  })

  it('that the gateway refuses are not recorded, and may be tried again', async () => {
    const session = await newSession()
    await payByCard(session.payUrl)
    await orderOf(session)
    const payment = await paymentOf(session)
    // The sandbox declines refunds of this amount.
    const refused = await shop.admin('POST', `/payments/${payment}/refund`, { amount: 6.66 })
    assert.notEqual(refused.status, 200)
    assert.equal(await refundCount(payment), 0)
    assert.equal((await shop.admin('POST', `/payments/${payment}/refund`, { amount: 6.65 })).status, 200)
    assert.deepEqual(
      { refunds: await refundCount(payment), refunded: await refundedOf(session) },
      { refunds: 1, refunded: '6.65' },
    )
  })

  it('follow when an order is cancelled', async () => {
    const session = await newSession()
    await payByCard(session.payUrl)
    const order = await orderOf(session)
    assert.equal((await shop.admin('POST', `/orders/${order}/cancel`)).status, 200)
    assert.deepEqual(
      { refunded: await refundedOf(session), state: await stateOf(session) },
      { refunded: '24.69', state: 9 },
    )
  })
})

async function refundCount(paymentId: string): Promise<number> {
  const rows = await shop.database.query(
    'select id from refund where payment_id = $1 and deleted_at is null',
    [paymentId],
  )
  return rows.length
}
