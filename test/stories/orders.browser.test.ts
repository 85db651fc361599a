// Orders in the back office, in a real browser: search, refunds, past states, exports, and bulk refunds.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { aPayment } from '../builders/builders.ts'
import { IBAN } from '../builders/payouts.ts'
import { settleNow } from '../builders/refunds.ts'
import type { Person } from '../harness/back-office.ts'
import { call, newNumber, pay } from '../harness/client.ts'
import { eventually } from '../harness/eventually.ts'
import { type OfficeBrowser, openOfficeBrowser } from '../harness/office-browser.ts'
import { checkLooks } from '../harness/page-checks.ts'

let browser: OfficeBrowser
let owner: Person
const orders: string[] = []

before(async () => {
  browser = await openOfficeBrowser()
  const { office } = browser
  owner = await office.person(office.demo.merNo, 'owner')
  for (const [sourceAmount, cardNo] of [
    ['12.50', '4242424242424242'],
    ['99.00', '5555555555554444'],
    ['30.00', '4000000000009995'],
    ['45.10', '4242424242424242'],
  ] as const) {
    const { data } = await pay(office.demo, { sourceAmount, cardNo, billingEmail: 'ada@example.com' })
    orders.push(String(data.merOrderNo))
  }
  const isIndexed = async () =>
    (await owner.call('GET /orders', { query: { email: 'ada@example.com' } })).rows.length === orders.length
  assert.ok(await eventually(isIndexed))
})
after(() => browser.close())
afterEach(() => browser.assertQuiet())

test('the overview tells the story of the day: the total, the chart, what needs attention, then tables', async () => {
  const fails = async () => (await owner.call('GET /overview', { query: {} })).attention.endpoints.length > 0
  assert.ok(await eventually(fails), 'nobody takes the notifications of this file')
  const page = await browser.open('/overview', owner)
  await page.getByText('3 of 4 decided payments succeeded (75%).').waitFor()
  await page.getByText('US$156.60').first().waitFor()
  await page
    .getByText(/last week/)
    .first()
    .waitFor()
  await page.getByRole('row', { name: /Insufficient/i }).waitFor()
  const headings = await page.getByRole('heading', { level: 2 }).allTextContents()
  assert.deepEqual(headings, [
    'Today so far',
    'Volume in USD and success rate by day, last 30 days',
    'Needs attention',
    'By currency, today',
    'Balances',
    'By method, last 30 days',
    'Why payments failed, last 30 days',
    'Your servers and the newest notifications of the last 24 hours',
  ])
  await page.locator('.chart canvas').waitFor()
  await checkLooks(page, 'office-overview')
  await page.getByRole('link', { name: /^Your server .* does not acknowledge notifications$/ }).click()
  await page.getByRole('heading', { name: 'Notifications', level: 1 }).waitFor()
})

test('every day of the chart is in its table, and is the same day west of UTC', async () => {
  const { total } = await owner.call('GET /overview', { query: {} })
  const page = await browser.open('/overview', owner, { timezoneId: 'America/New_York' })
  await page.getByRole('button', { name: 'Show as a table' }).click()
  const table = page.getByRole('table', { name: /^Volume in USD/ })
  const day = total?.days.at(-1)?.day ?? ''
  const last = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format(
    new Date(day),
  )
  assert.equal(await table.getByRole('rowheader').last().textContent(), last)
  assert.equal(await table.getByRole('rowheader').count(), 30)
  await table
    .getByRole('row', { name: /US\$0\.00/ })
    .first()
    .waitFor()
})

test('orders are filtered in the address, saved as a view, and exported', async () => {
  const page = await browser.open('/orders', owner)
  await page.getByRole('cell', { name: orders[0] ?? '' }).waitFor()
  await checkLooks(page, 'office-orders')
  await page.getByRole('button', { name: 'Card ending' }).click()
  await page.getByRole('textbox', { name: 'Card ending' }).fill('4444')
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('cell', { name: orders[1] ?? '' }).waitFor()
  await page.getByRole('cell', { name: orders[0] ?? '' }).waitFor({ state: 'detached' })
  assert.match(page.url(), /card=4444/)
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Save this view' }).click()
  await page.getByLabel('Name').fill('Mastercard')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', { name: 'Mastercard' }).waitFor()
  await page.getByRole('button', { name: 'Schedule by mail' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Card ending: 4444, with the columns of the list.').waitFor()
  await dialog.getByLabel('Name').fill('Cards of a morning')
  await dialog.getByRole('button', { name: 'Schedule', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Export these orders' }).click()
  await page.getByRole('link', { name: /The export has begun/ }).click()
  await page.getByRole('button', { name: 'Download' }).first().waitFor()
  await page.getByRole('row', { name: /Cards of a morning Orders, Card ending: 4444 Every day/ }).waitFor()
  await checkLooks(page, 'office-exports')
})

/** Types a text into the search of the page, and opens the result under this heading. */
async function openFound(page: Page, text: string, group: string): Promise<void> {
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('combobox', { name: 'Search' }).fill(text)
  await page.getByRole('group', { name: group }).getByRole('option').first().click()
  await page.getByRole('combobox', { name: 'Search' }).waitFor({ state: 'detached' })
}

/** Makes one object of each kind that the search finds by its number. */
async function makeFindable() {
  const { demo } = browser.office
  const { data: order } = await pay(demo, { sourceAmount: '60.00' })
  const params = { tradeNo: String(order.tradeNo) }
  const merRefundNo = newNumber()
  const refund = { amount: '1.00', reason: 'Scratched', merRefundNo }
  await owner.call('POST /orders/:tradeNo/refunds', { params, body: refund })
  const disputed = { tradeNo: params.tradeNo, reasonCode: '4853', reason: 'By mail' }
  const operator = await browser.office.operator()
  const isOpened = async () => (await operator.attempt('POST /disputes', { body: disputed })).status === 200
  assert.ok(await eventually(isOpened), 'a dispute opens once the refund is decided')
  const to = { withdrawType: '3', cardNo: IBAN, benFirstName: 'Paper', benLastName: 'Mill' }
  const at = {
    addressLine: '1 Market Street',
    city: 'Berlin',
    countryCode: 'DE',
    beneficiaryType: 'business',
  }
  const urls = { returnUrl: 'https://shop.example/back', notifyUrl: 'https://shop.example/notify' }
  const sum = { currencyCode: 'USD', sourceAmount: '12.34', ipAddress: '203.0.113.7', version: 'V3.0.0' }
  const payouts = []
  for (const merOrderNo of [newNumber(), newNumber()]) {
    const { code } = await call(demo, '/payout', {
      merNo: demo.merNo,
      merOrderNo,
      ...to,
      ...at,
      ...urls,
      ...sum,
    })
    assert.equal(code, '00000')
    payouts.push(merOrderNo)
  }
  const lamp = { title: 'Reading lamp', currency: 'USD', amount: '24.00', uses: 'many' } as const
  const { linkId } = await owner.call('POST /links', {
    body: { ...lamp, language: '', reference: '', notifyUrl: '' },
  })
  return { tradeNo: params.tradeNo, merRefundNo, payouts, linkId }
}

test('the search finds an order by the e-mail address of its payer', async () => {
  const page = await browser.open('/overview', owner)
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('combobox', { name: 'Search' }).fill('ada@example.com')
  await page.getByRole('option', { name: orders[3] ?? '' }).click()
  await page.getByRole('dialog').getByText('Order created').waitFor()
})

test('whatever the search finds opens, for staff and for operators on a page of the merchant', async () => {
  const { merNo } = browser.office.demo
  const { tradeNo, merRefundNo, payouts, linkId } = await makeFindable()
  const [wanted = '', other = ''] = payouts
  const operator = await browser.office.operator()
  for (const [person, start] of [
    [owner, '/overview'],
    [operator, `/merchants/${merNo}`],
  ] as const) {
    const page = await browser.open(start, person)
    const dialog = page.getByRole('dialog')
    const openPanel = async (text: string, group: string, shows: string) => {
      await openFound(page, text, group)
      await dialog.getByText(shows).first().waitFor()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    }
    await openPanel('ada@example.com', 'Orders', 'Order created')
    await openPanel(merRefundNo, 'Refunds', 'Order created')
    await openFound(page, wanted, 'Payouts')
    await page.getByRole('cell', { name: wanted }).waitFor()
    assert.equal(await page.getByRole('cell', { name: other }).count(), 0, 'only what was found')
    await openPanel(tradeNo, 'Disputes', 'Evidence')
    await openFound(page, linkId, 'Payment links')
    await page.getByRole('heading', { name: 'Reading lamp' }).waitFor()
    await openPanel(person.email, 'People', person.email)
    if (person === owner) continue
    await openFound(page, 'demo sh', 'Merchants')
    await page.getByRole('heading', { name: /^Demo Shop/ }).waitFor()
  }
})

test('an order is opened beside the list, refunded, and seen as it was', async () => {
  const page = await browser.open('/orders', owner)
  await page.getByRole('link', { name: orders[3] ?? '' }).click()
  const panel = page.getByRole('dialog')
  await panel.getByText('Order created').waitFor()
  await checkLooks(page, 'office-order-panel')
  await panel.getByRole('button', { name: 'Refund' }).click()
  await page.getByLabel(/^Amount, at most/).fill('too much')
  await page.getByLabel('Reason').fill('Returned')
  await page.getByRole('dialog').getByRole('button', { name: 'Refund', exact: true }).last().click()
  await page.getByText('Enter an amount such as 12.50.').waitFor()
  await page.getByLabel(/^Amount, at most/).fill('5.10')
  await page.getByRole('dialog').getByRole('button', { name: 'Refund', exact: true }).last().click()
  await panel.getByText(/Refund of .*5\.10 accepted/).waitFor()
  await panel.getByRole('link', { name: 'Open the whole page' }).click()
  await page.getByRole('heading', { name: 'Time travel' }).waitFor()
  await page.getByText('What /order/query answered').waitFor()
  await page
    .getByRole('table', { name: 'Ledger' })
    .getByRole('row', { name: /Payment Channel card Unsettled/ })
    .waitFor()
  await page.getByText('Billing: first name').waitFor()
  await checkLooks(page, 'office-order')
  const slider = page.getByRole('slider')
  await slider.press('Home')
  await page.getByRole('heading', { name: 'Ledger' }).waitFor()
})

test('the words for states are the same in the list, on the page and in the search', async () => {
  const { demo } = browser.office
  const { data } = await pay(demo, { sourceAmount: '70.00', billingEmail: 'grace@example.com' })
  const params = { tradeNo: String(data.tradeNo) }
  const refund = { amount: '5.00', reason: 'Scratched', merRefundNo: newNumber() }
  await owner.call('POST /orders/:tradeNo/refunds', { params, body: refund })
  const stageOf = async () => (await owner.call('GET /orders/:tradeNo', { params })).order.stage
  assert.ok(await eventually(async () => (await stageOf()) === 'partly_refunded'))
  const waiting = await pay(demo, { cardNo: '4000000000003220', sourceAmount: '71.00' })
  const page = await browser.open('/orders', owner)
  await page.getByRole('row', { name: new RegExp(`${data.merOrderNo}.*Partly refunded`) }).waitFor()
  await page
    .getByRole('row', { name: new RegExp(`${waiting.data.merOrderNo}.*Waiting for 3-D Secure`) })
    .waitFor()
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('combobox', { name: 'Search' }).fill(params.tradeNo)
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' }).format(new Date())
  await page.getByRole('option', { name: new RegExp(`Partly refunded · ${day}`) }).waitFor()
  await page.keyboard.press('Escape')
  await page.goto(`${browser.office.baseUrl}/backoffice/order/${params.tradeNo}`)
  await page.getByText('Partly refunded').first().waitFor()
})

test("an order leads to all orders of its payer's e-mail address and of its card", async () => {
  const page = await browser.open('/orders', owner)
  await page.getByRole('link', { name: orders[3] ?? '' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'ada@example.com' }).click()
  await page.getByRole('heading', { name: 'ada@example.com' }).waitFor()
  const sums = page.getByRole('table', { name: 'Sums' })
  await sums.getByRole('row', { name: /^USD 4 1 .*156\.60/ }).waitFor()
  for (const number of orders) await page.getByRole('link', { name: number }).waitFor()
  await checkLooks(page, 'office-customer')
  await page.getByRole('link', { name: orders[1] ?? '' }).click()
  await page.getByRole('link', { name: 'Mastercard •••• 4444' }).click()
  await page.getByRole('heading', { name: 'Mastercard •••• 4444' }).waitFor()
  await page
    .getByRole('table', { name: 'Sums' })
    .getByRole('row', { name: /^USD 1 0 .*99\.00/ })
    .waitFor()
  assert.equal(await page.getByRole('link', { name: orders[0] ?? '' }).count(), 0)
})

test('time travel reaches the settlement, and ends now', async () => {
  const { demo, db } = browser.office
  const { data } = await pay(demo, { sourceAmount: '21.00' })
  const tradeNo = String(data.tradeNo)
  const isDelivered = async () =>
    (await owner.call('GET /orders/:tradeNo', { params: { tradeNo } })).notifications.every(
      ({ deliveries }) => deliveries.length > 0,
    )
  assert.ok(await eventually(isDelivered), 'nothing but the settlement comes last')
  await settleNow(db, aPayment({ merNo: demo.merNo, tradeNo }))
  const page = await browser.open(`/order/${tradeNo}`, owner)
  const slider = page.getByRole('slider')
  const settled = (answer: string) =>
    page
      .locator('.facts > div')
      .filter({ hasText: new RegExp(`^Settled${answer}$`) })
      .waitFor()
  await page.getByRole('heading', { name: /^Now · / }).waitFor()
  await settled('Yes')
  await slider.press('ArrowLeft')
  await page.getByRole('heading', { name: /^Now · / }).waitFor({ state: 'detached' })
  await settled('Yes')
  await slider.press('ArrowLeft')
  await settled('No')
  await slider.press('End')
  await page.getByRole('heading', { name: /^Now · / }).waitFor()
})

test('many orders are checked, then refunded', async () => {
  const { data: inEuros } = await pay(browser.office.demo, { sourceAmount: '8.00', currencyCode: 'EUR' })
  const page = await browser.open('/bulk-refunds', owner)
  await page.getByRole('button', { name: 'New bulk refund' }).click()
  await page
    .getByLabel('Orders, one per line')
    .fill(`${orders[0]},2.50\n${inEuros.merOrderNo}\n${orders[2]}\nnothing`)
  await page.getByLabel('Reason').fill('Recall')
  await page.getByRole('button', { name: 'Check without refunding' }).click()
  await page.getByRole('button', { name: 'Refund 2 orders' }).waitFor()
  const totals = page.locator('.facts').getByRole('listitem')
  assert.deepEqual((await totals.allTextContents()).sort(), ['US$2.50', '€8.00'], 'a line for each currency')
  await checkLooks(page, 'office-bulk-refund')
  await page.getByRole('button', { name: 'Refund 2 orders' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Refund 2 orders' }).last().click()
  await page.getByText('Accepted').first().waitFor()
  const chinese = await browser.open(new URL(page.url()).pathname.replace('/backoffice', ''), owner, {
    locale: 'zh-CN',
  })
  await chinese.getByText('没有此订单号的订单。').waitFor()
})

test('keys move between the orders as soon as the list is shown', async () => {
  const page = await browser.open('/orders', owner)
  const links = page.locator('.row-link')
  await links.nth(2).waitFor()
  const focused = () => links.evaluateAll((all) => all.findIndex((link) => link.matches(':focus')))
  const reached: number[] = []
  for (const key of ['j', 'j', 'ArrowDown', 'k', 'ArrowUp', 'ArrowUp']) {
    await page.keyboard.press(key)
    reached.push(await focused())
  }
  assert.deepEqual(reached, [0, 1, 2, 1, 0, 0])
  await page.getByRole('checkbox', { name: 'Choose all orders of this page' }).focus()
  await page.keyboard.press('j')
  assert.equal(await focused(), 0)
  await page.getByRole('button', { name: 'Order number' }).click()
  await page.getByRole('textbox', { name: 'Order number' }).pressSequentially('jk')
  assert.equal(await page.getByRole('textbox', { name: 'Order number' }).inputValue(), 'jk')
})

test('a period is chosen by its name, and the orders are counted', async () => {
  const page = await browser.open('/orders?email=ada@example.com', owner)
  await page.getByText(`${orders.length} orders`).waitFor()
  await page.getByRole('button', { name: 'Created between' }).click()
  await page.getByRole('button', { name: 'Yesterday' }).click()
  await page.getByText('No order matches these filters').waitFor()
  await page.getByRole('button', { name: 'Created between: Yesterday' }).click()
  await page.getByRole('button', { name: 'Last 7 days' }).click()
  await page.getByText(`${orders.length} orders`).waitFor()
  assert.match(page.url(), /from=last-7-days&to=last-7-days/)
})

test('chosen orders are exported, notified again and refunded', async () => {
  const page = await browser.open('/orders?email=ada@example.com', owner)
  await page.getByRole('checkbox', { name: 'Choose all orders of this page' }).check()
  await page.getByText(`${orders.length} chosen orders`).waitFor()
  await page.getByRole('button', { name: 'Choose none' }).click()
  for (const number of [orders[1], orders[3]])
    await page.getByRole('checkbox', { name: `Choose order ${number}` }).check()
  await page.getByText('2 chosen orders').waitFor()
  await checkLooks(page, 'office-chosen-orders')
  await page.getByRole('button', { name: 'Send notifications again' }).click()
  await page.getByText('Notifications sent again: 2.').waitFor()
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  await page.getByRole('link', { name: /The export has begun/ }).waitFor()
  await page.getByRole('button', { name: 'Refund', exact: true }).click()
  await page.getByLabel('Reason').fill('Chosen by hand')
  await page.getByRole('button', { name: 'Check without refunding' }).click()
  await page.getByRole('button', { name: 'Refund 2 orders' }).waitFor()
  const exported = await browser.open('/exports', owner)
  await exported.getByText('2 chosen orders').waitFor()
})

test('refunds are listed by their state, and lead to their order', async () => {
  const page = await browser.open('/refunds', owner)
  await page.getByRole('cell', { name: 'Recall' }).first().waitFor()
  await checkLooks(page, 'office-refunds')
  const none = await browser.open('/refunds?state=waiting', owner)
  await none.getByText('No refund is in this state').waitFor()
  await page.getByRole('link', { name: orders[0] ?? '' }).click()
  await page.getByRole('heading', { name: 'Time travel' }).waitFor()
})
