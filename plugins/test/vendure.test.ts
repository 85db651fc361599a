// The plugin in a real Vendure: orders paid on the gateway's page, the race of notification and returning payer, refunds,
// cancellations, amounts. What counts is what Vendure and the gateway have stored in the end.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { signNotification } from '../../sdk/src/testing.ts'
import { openPage } from '../../test/harness/browser.ts'
import { DECLINED_CARD, payByCard, wayBack } from '../../test/harness/card-payer.ts'
import { eventually } from '../../test/harness/eventually.ts'
import { type Gateway, openGateway } from './gateway.ts'
import {
  arrangePayment,
  type Customer,
  openCheckout,
  openVendureShop,
  record,
  type VendureShop,
} from './vendure-shop.ts'

let gateway: Gateway
let shop: VendureShop

before(async () => {
  gateway = await openGateway()
  shop = await openVendureShop(gateway)
})
after(async () => {
  await shop?.close()
  await gateway?.close()
})

type Payment = { id: number; amount: number; state: string; number: string }

async function paymentsOf({ orderCode }: Customer): Promise<Payment[]> {
  return shop.database.query<Payment>(
    `select payment.id, amount, payment.state, "transactionId" as number
     from payment join "order" on "order".id = "orderId" where code = $1`,
    [orderCode],
  )
}

async function stateOf({ orderCode }: Customer): Promise<string | undefined> {
  const [row] = await shop.database.query<{ state: string }>('select state from "order" where code = $1', [
    orderCode,
  ])
  return row?.state
}

/** How often the order was placed, by its history. */
async function timesSettled({ orderCode }: Customer): Promise<number> {
  const rows = await shop.database.query(
    `select 1 from history_entry join "order" on "order".id = "orderId"
     where code = $1 and history_entry.type = 'ORDER_STATE_TRANSITION' and data::json ->> 'to' = 'PaymentSettled'`,
    [orderCode],
  )
  return rows.length
}

async function assertPaidOnce(customer: Customer, amount: number): Promise<Payment> {
  assert.ok(await eventually(async () => (await stateOf(customer)) === 'PaymentSettled'))
  const payments = await paymentsOf(customer)
  assert.deepEqual(
    payments.map((payment) => [payment.amount, payment.state]),
    [[amount, 'Settled']],
  )
  assert.equal(await timesSettled(customer), 1)
  const [payment] = payments
  assert.ok(payment)
  return payment
}

/** Sends the notification that the gateway sends, at a moment of the test's choice. */
async function notify(back: string): Promise<Response> {
  const { tradeNo = '', merOrderNo = '' } = Object.fromEntries(new URL(back).searchParams)
  const signer = { key: gateway.settings.key, webhookSecret: gateway.webhookSecret }
  const signed = await signNotification('payment', { tradeNo, merOrderNo, code: '0', message: '' }, signer)
  return fetch(shop.notifyUrl, { method: 'POST', ...signed })
}

/** The payer's browser follows the way back as far as the storefront. */
async function comeBack(back: string): Promise<URL> {
  const response = await fetch(back, { redirect: 'manual' })
  assert.equal(response.status, 303, await response.text())
  return new URL(response.headers.get('location') ?? '')
}

async function stateAtGateway(merOrderNo: string): Promise<number | undefined> {
  return (await gateway.merchant.findPayment(merOrderNo))?.item.state
}

describe('a shop', () => {
  for (const [changes, why] of [
    [{ key: '' }, /key is missing/],
    [{ key: 'fifteen-letters' }, /key has fewer than 16 characters/],
    [{ webhookSecret: '' }, /webhookSecret is missing/],
  ] as const)
    it(`does not start with ${JSON.stringify(changes)}`, async () => {
      await assert.rejects(openVendureShop(gateway, changes), why)
    })
})

describe('a paid order', () => {
  it('is settled once when the payer returns, who comes to the storefront', async () => {
    const customer = await shop.newCustomer()
    const storefront = await comeBack(wayBack(await payByCard(await openCheckout(customer))))
    assert.equal(storefront.href, `${shop.returnUrl}?order=${customer.orderCode}&payment=succeeded`)
    const { number } = await assertPaidOnce(customer, 2468)
    const paid = await gateway.merchant.findPayment(number)
    assert.deepEqual({ amount: paid?.amount, currency: paid?.currency }, { amount: '24.68', currency: 'EUR' })
  })

  it('is settled by the notification alone', async () => {
    const customer = await shop.newCustomer()
    await payByCard(await openCheckout(customer))
    await assertPaidOnce(customer, 2468)
  })

  it('is settled once when both come at once, often, in every order', async () => {
    for (const calls of ['nrnr', 'rnrn', 'nnrr', 'rrnn']) {
      const customer = await shop.newCustomer()
      const back = wayBack(await payByCard(await openCheckout(customer)))
      await Promise.all([...calls].map((call) => (call === 'n' ? notify(back) : comeBack(back))))
      assert.equal((await notify(back)).status, 200)
      await assertPaidOnce(customer, 2468)
    }
  })

  it('has whole yen in a currency without decimals', async () => {
    const customer = await shop.newCustomer('JPY', 3)
    await payByCard(await openCheckout(customer))
    const { number } = await assertPaidOnce(customer, 360_000)
    const paid = await gateway.merchant.findPayment(number)
    assert.deepEqual(
      { amount: paid?.amount, currency: paid?.currency },
      { amount: '3600.00', currency: 'JPY' },
    )
  })
})

describe('an order that is not paid', () => {
  it('stays open after a decline, and the payer may try again', async () => {
    const customer = await shop.newCustomer()
    const payUrl = await openCheckout(customer)
    await payByCard(payUrl, DECLINED_CARD)
    assert.equal(await stateOf(customer), 'ArrangingPayment')
    await payByCard(payUrl)
    await assertPaidOnce(customer, 2468)
  })

  it('is not settled while the gateway does not answer, and nothing is lost by that', async () => {
    const customer = await shop.newCustomer()
    const payUrl = await openCheckout(customer)
    await gateway.without(async () => {
      const response = await notify(`${shop.returnUrl}?tradeNo=T1&merOrderNo=${customer.orderCode}-1a2b3c4d`)
      assert.equal(response.status, 500)
    })
    await payByCard(payUrl)
    await assertPaidOnce(customer, 2468)
  })

  it('is not settled by the shop API, a changed address or a forged notification', async () => {
    const customer = await shop.newCustomer()
    await openCheckout(customer)
    const adding = customer.ask(
      'mutation { addPaymentToOrder(input: { method: "tollgate", metadata: { merOrderNo: "x" } }) { __typename } }',
    )
    await assert.rejects(adding, /createTollgateCheckout/)
    const forged = await openPage(
      `${shop.notifyUrl}/return?tradeNo=T1&merOrderNo=${customer.orderCode}-1&payCode=0&sign=A`,
    )
    assert.equal(forged.status, 400)
    assert.match(forged.html, /go back to the shop/)
    const body = await signNotification(
      'payment',
      { tradeNo: 'T1', merOrderNo: `${customer.orderCode}-1`, code: '0', message: '' },
      { key: 'another key' },
    )
    assert.equal((await fetch(shop.notifyUrl, { method: 'POST', ...body })).status, 400)
    assert.deepEqual(
      { payments: await paymentsOf(customer), state: await stateOf(customer) },
      { payments: [], state: 'ArrangingPayment' },
    )
  })
})

describe('money that no order awaits goes back', () => {
  it('when the order changed while its page was open', async () => {
    const customer = await shop.newCustomer()
    const old = await openCheckout(customer)
    await customer.ask('mutation { transitionOrderToState(state: "AddingItems") { __typename } }')
    const { activeOrder } = await customer.ask('{ activeOrder { lines { id } } }')
    const { lines } = record(activeOrder)
    assert.ok(Array.isArray(lines))
    await customer.ask(
      'mutation ($id: ID!) { adjustOrderLine(orderLineId: $id, quantity: 3) { __typename } }',
      { id: record(lines[0]).id },
    )
    await arrangePayment(customer.ask)
    const back = wayBack(await payByCard(old))
    assert.match((await comeBack(back)).search, /payment=failed/)
    await assertGivenBack(back)
    await payByCard(await openCheckout(customer))
    await assertPaidOnce(customer, 3702)
  })

  it('when two pages of an order are paid', async () => {
    const customer = await shop.newCustomer()
    const pages = [await openCheckout(customer), await openCheckout(customer)]
    const [first = '', second = ''] = await Promise.all(
      pages.map(async (page) => wayBack(await payByCard(page))),
    )
    await Promise.all([comeBack(first), comeBack(second)])
    const { number } = await assertPaidOnce(customer, 2468)
    await assertGivenBack(first.includes(number) ? second : first)
  })

  it('when the order was cancelled', async () => {
    const customer = await shop.newCustomer()
    const page = await openCheckout(customer)
    await shop.admin('mutation ($id: ID!) { cancelOrder(input: { orderId: $id }) { __typename } }', {
      id: customer.orderId,
    })
    const back = wayBack(await payByCard(page))
    await assertGivenBack(back)
    assert.deepEqual(await paymentsOf(customer), [])
  })
})

async function assertGivenBack(back: string): Promise<void> {
  const merOrderNo = new URL(back).searchParams.get('merOrderNo') ?? ''
  assert.ok(await eventually(async () => (await stateAtGateway(merOrderNo)) === 9))
}

const refundMutation = `mutation ($paymentId: ID!, $amount: Money!) { refundOrder(input: {
  paymentId: $paymentId, amount: $amount, lines: [], shipping: 0, adjustment: 0
}) { __typename ... on Refund { id state } ... on ErrorResult { message } } }`

async function refund({ id }: Payment, amount: number): Promise<Record<string, unknown>> {
  return record((await shop.admin(refundMutation, { paymentId: id, amount })).refundOrder)
}

async function refundsOf({ id }: Payment): Promise<(string | number)[][]> {
  const rows = await shop.database.query<{ total: number; state: string }>(
    'select total, state from refund where "paymentId" = $1 order by id',
    [id],
  )
  return rows.map(({ total, state }) => [total, state])
}

describe('refunds', () => {
  it('give back a part, then the rest, and nothing more', async () => {
    const customer = await shop.newCustomer()
    await payByCard(await openCheckout(customer))
    const payment = await assertPaidOnce(customer, 2468)
    assert.equal((await refund(payment, 468)).state, 'Pending')
    assert.ok(await eventually(async () => (await refundsOf(payment))[0]?.[1] === 'Settled'))
    await refund(payment, 2000)
    const both = [
      [468, 'Settled'],
      [2000, 'Settled'],
    ]
    assert.ok(await eventually(async () => (await refundsOf(payment))[1]?.[1] === 'Settled'))
    assert.deepEqual(await refundsOf(payment), both)
    assert.equal(await stateAtGateway(payment.number), 9)
    assert.equal((await refund(payment, 1)).__typename, 'RefundAmountError')
  })

  it('that the gateway declines fail, and may be tried again', async () => {
    const customer = await shop.newCustomer()
    await payByCard(await openCheckout(customer))
    const payment = await assertPaidOnce(customer, 2468)
    // The sandbox declines refunds of this amount.
    await refund(payment, 666)
    assert.ok(await eventually(async () => (await refundsOf(payment))[0]?.[1] === 'Failed'))
    await refund(payment, 665)
    assert.ok(await eventually(async () => (await refundsOf(payment))[1]?.[1] === 'Settled'))
    assert.equal((await gateway.merchant.findPayment(payment.number))?.item.refundAmount, '6.65')
  })

  it('of the same amount at once are two refunds, and a payment is not cancelled', async () => {
    const customer = await shop.newCustomer()
    await payByCard(await openCheckout(customer))
    const payment = await assertPaidOnce(customer, 2468)
    await Promise.all([refund(payment, 500), refund(payment, 500)])
    assert.ok(
      await eventually(async () => (await refundsOf(payment)).every(([, state]) => state === 'Settled')),
    )
    assert.equal((await gateway.merchant.findPayment(payment.number))?.item.refundAmount, '10.00')
    const cancelling = await shop.admin(
      'mutation ($id: ID!) { cancelPayment(id: $id) { __typename ... on ErrorResult { message } } }',
      { id: payment.id },
    )
    assert.equal(record(cancelling.cancelPayment).__typename, 'CancelPaymentError')
  })
})
