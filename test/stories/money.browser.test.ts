// Payouts with a second person, disputes with evidence, and what only an operator can decide, in a real browser.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { acceptPayments } from '../../src/money/payments/accept-payments.ts'
import { recordOutcomes } from '../../src/money/payments/record-outcomes.ts'
import { changePayouts } from '../../src/money/payouts/change-payouts.ts'
import { aPayment, noRates } from '../builders/builders.ts'
import { paidOrder } from '../builders/paid-orders.ts'
import { accept, anApplication, record, succeeded } from '../builders/refunds.ts'
import type { Person } from '../harness/back-office.ts'
import { call, newNumber } from '../harness/client.ts'
import { eventually } from '../harness/eventually.ts'
import { type OfficeBrowser, openOfficeBrowser } from '../harness/office-browser.ts'
import { checkLooks, isOnScreen } from '../harness/page-checks.ts'

/** Checks the looks of the page, and widens the window again, because the checks leave it narrow. */
async function look(page: Page, name: string): Promise<void> {
  await checkLooks(page, name)
  await page.setViewportSize({ width: 1280, height: 900 })
}

let browser: OfficeBrowser
let finance: Person
let owner: Person
let operator: Person
before(async () => {
  browser = await openOfficeBrowser()
  const { merNo } = browser.office.demo
  finance = await browser.office.person(merNo, 'finance')
  owner = await browser.office.person(merNo, 'owner')
  operator = await browser.office.operator()
})
after(() => browser.close())
afterEach(() => browser.assertQuiet())

test('an account is saved, and a payout to it waits until a second person approves it', async () => {
  const page = await browser.open('/payouts/beneficiaries', finance)
  await page.getByText('No beneficiary saved').waitFor()
  await page.getByRole('button', { name: 'Add a beneficiary' }).first().click()
  await page.getByLabel('Name in the list').fill('Paper mill')
  await page.getByLabel('IBAN or account number').fill('DE89370400440532013001')
  await page.getByLabel('The currency is right').check()
  await page.getByLabel('First name').fill('Paper')
  await page.getByLabel('Last name').fill('Mill')
  await page.getByLabel('Street and number').fill('1 Market Street')
  await page.getByLabel('City').fill('Berlin')
  await page.getByLabel('Country, two letters').fill('DE')
  await page.getByRole('button', { name: 'Save the beneficiary' }).click()
  await page
    .getByText(/neither an IBAN nor an account number/)
    .first()
    .waitFor()
  assert.equal(await page.getByLabel('City').inputValue(), 'Berlin', 'what was typed stays')
  await look(page, 'office-beneficiary-form')
  await page.getByLabel('IBAN or account number').fill('DE89 3704 0044 0532 0130 00')
  await page.getByText(/This IBAN is from DE, where accounts are usually kept in EUR/).waitFor()
  assert.ok(await page.getByRole('button', { name: 'Save the beneficiary' }).isDisabled())
  await look(page, 'office-currency-doubt')
  await page.getByLabel('The currency is right').check()
  await page.getByRole('button', { name: 'Save the beneficiary' }).click()
  await page.getByRole('cell', { name: '…3000' }).waitFor()
  await look(page, 'office-beneficiaries')

  await page.getByRole('link', { name: 'New payout' }).click()
  await page.getByPlaceholder('Choose a saved beneficiary').click()
  await page.getByRole('option', { name: /Paper mill/ }).click()
  await page.getByLabel(/^Amount/).fill('12.50')
  await page.getByRole('button', { name: 'Check' }).click()
  await page.getByText('1 of 1 payouts can be made').waitFor()
  await page.getByText('A second person has to approve this').waitFor()
  await look(page, 'office-payout-preview')
  await page.getByLabel('Reason').fill('Invoice 17')
  await page.getByRole('button', { name: 'Ask for approval' }).click()
  await page.getByRole('dialog').getByText('Waits for a second person').waitFor()

  const second = await browser.open('/payouts/approvals', owner)
  const waiting = second.getByRole('row').filter({ hasText: '12.50' })
  await second.getByText(/^1 payout, US\$12\.50 · It pays an account that is new/).waitFor()
  await second.getByText('Paper mill · …3000 · Bank account · USD').waitFor()
  await waiting.getByText('Germany').waitFor()
  await waiting.getByText('Never paid before').waitFor()
  await look(second, 'office-payout-approvals')
  await waiting.getByRole('button', { name: 'Approve' }).click()
  await second.getByLabel('Reason').fill('Seen')
  await second.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await waiting.waitFor({ state: 'detached' })
  await page.getByRole('dialog').getByText('Done').waitFor()
  await look(page, 'office-payout-run')
})

test('an owner lets payouts of the program wait, and somebody of the company approves one', async () => {
  const { demo } = browser.office
  const page = await browser.open('/payouts/approvals', owner)
  await page.getByLabel('Second person above (USD)').fill('50.00')
  await page.getByLabel('Also payouts by the interface').check()
  await page.getByRole('button', { name: 'Save the amount' }).click()
  const isStored = async () => (await owner.call('GET /payouts/settings', {})).includesInterface
  assert.ok(await eventually(isStored))
  const payee = { benFirstName: 'Print', benLastName: 'Shop', addressLine: '1 Market Street', city: 'Berlin' }
  const account = { countryCode: 'DE', beneficiaryType: 'business', cardNo: 'DE89370400440532013000' }
  const money = { currencyCode: 'USD', sourceAmount: '60.00', withdrawType: '3' }
  const rest = {
    returnUrl: 'https://shop.example',
    notifyUrl: '',
    ipAddress: '203.0.113.7',
    version: 'V3.0.0',
  }
  const isPaid = async () =>
    (await owner.call('GET /payouts', { query: { state: 'succeeded' } })).rows.length > 0
  assert.ok(await eventually(isPaid), 'the account was paid before')
  const body = { merNo: demo.merNo, merOrderNo: newNumber(), ...payee, ...account, ...money, ...rest }
  assert.equal((await call(demo, '/payout', body)).data.payCode, 2)
  const other = await browser.open('/payouts/approvals', finance)
  const waiting = other.getByRole('row').filter({ hasText: 'Print Shop' })
  await waiting.getByText('Germany').waitFor()
  await waiting.getByText('Never paid before').waitFor({ state: 'detached' })
  await look(other, 'office-interface-payouts')
  await waiting.getByRole('button', { name: 'Approve' }).click()
  await other.getByLabel('Reason').fill('Agreed')
  await other.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await waiting.waitFor({ state: 'detached' })
})

test('a dispute is answered with a file, and the statement adds up', async () => {
  const { merNo } = browser.office.demo
  const details = {
    billingFirstName: 'Maria',
    billingLastName: 'Silva',
    billingCity: 'Porto',
    productInfoList: [{ sku: 'S-1', productName: 'Scarf', price: '42.00', quantity: '1' }],
  }
  const paid = { merNo, terms: { feeBps: 290 }, amount: 4_200n, details }
  const { tradeNo } = await paidOrder(browser.office.db, paid)
  await operator.call('POST /disputes', { body: { tradeNo, reasonCode: '4853', reason: 'By mail' } })
  const page = await browser.open('/disputes/cases', owner)
  await page.getByRole('link', { name: tradeNo }).click()
  await page.getByText('Maria Silva').first().waitFor()
  await page.getByRole('cell', { name: 'Scarf (S-1)' }).waitFor()
  await page.getByText('The description and the pictures as the payer saw them').waitFor()
  await page.getByText(/^US\$42\.00 and the fee of .* were taken on/).waitFor()
  await page.getByRole('button', { name: 'Contest' }).click()
  await page.getByLabel('What it shows').and(page.locator(':focus')).waitFor()
  await page.getByLabel('What it shows').fill('Signed delivery note')
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'note.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') })
  await page.getByRole('button', { name: 'Add evidence' }).click()
  await page.getByRole('button', { name: 'note.pdf' }).first().waitFor()
  await look(page, 'office-dispute')
  await operator.call('POST /disputes/:tradeNo/deadline', {
    params: { tradeNo },
    body: {
      answerBy: new Date(Date.now() - 3_600_000).toISOString(),
      seen: (await operator.call('GET /disputes/:tradeNo', { params: { tradeNo } })).dispute.answerBy ?? null,
      reason: 'The acquirer said so',
    },
  })
  const queue = await browser.open('/queues/disputes', operator)
  await queue.setViewportSize({ width: 390, height: 844 })
  const first = queue.getByRole('row').nth(1)
  await first.getByText('Open, Overdue').waitFor()
  await first.getByRole('link').click()
  const lost = queue.getByRole('button', { name: 'Lost', exact: true })
  await lost.waitFor()
  assert.ok(await isOnScreen(lost), 'the buttons that decide are on the screen of a phone')
  for (const [path, heading, picture] of [
    ['/statements', /^Statement/, 'office-statement'],
    ['/statements/fees', /^Fees/, 'office-fees'],
    ['/statements/coming', 'Settlements to come', 'office-coming'],
    ['/payouts', 'Payouts', 'office-payouts'],
  ] as const) {
    const next = await browser.open(path, owner)
    await next.getByRole('heading', { name: heading }).first().waitFor()
    await next.getByRole('table').first().waitFor()
    await look(next, picture)
  }
})

test('a merchant accepts a dispute on a phone, and the operator reads it', async () => {
  const { tradeNo } = await paidOrder(browser.office.db, { merNo: browser.office.demo.merNo })
  await operator.call('POST /disputes', { body: { tradeNo, reasonCode: '4853', reason: 'By mail' } })
  const page = await browser.open(`/disputes/cases/${tradeNo}`, owner)
  await page.setViewportSize({ width: 390, height: 844 })
  const accept = page.getByRole('button', { name: 'Accept', exact: true })
  await accept.waitFor()
  assert.ok(await isOnScreen(accept), 'the button is on the screen of a phone')
  await accept.click()
  const dialog = page.getByRole('dialog', { name: 'Accept the dispute?' })
  await dialog.getByText(/The operator reads this and ends the dispute as lost/).waitFor()
  await look(page, 'office-dispute-accept')
  await dialog.getByLabel('Reason').fill('We sent the wrong size')
  await dialog.getByRole('button', { name: 'Accept' }).click()
  const note = 'We accept this dispute: We sent the wrong size'
  await page.getByText(note).waitFor()
  const read = await browser.open(`/queues/disputes/${tradeNo}`, operator)
  await read.getByText(note).waitFor()
  await read.getByRole('button', { name: 'Lost', exact: true }).waitFor()
  assert.equal(await read.getByRole('button', { name: 'Accept', exact: true }).count(), 0)
})

test('of a transfer that arrived in part, an operator records only what the channel has received', async () => {
  const { db, demo } = browser.office
  const createdAt = new Date(Date.now() - 5 * 86_400_000)
  const money = { amount: 10_000n, currency: 'EUR' }
  const made = aPayment({ merNo: demo.merNo, method: 'sepa', money, createdAt })
  const payment = { ...made, attempt: made.attempt && { ...made.attempt, channel: 'removed' } }
  await acceptPayments(db, [payment])
  const { merNo, tradeNo } = payment
  const deposits = [
    { depositRef: `${tradeNo} a`, money: { amount: 4_000n, currency: 'EUR' }, at: new Date() },
  ]
  const outcome = { kind: 'received', channelRef: 'c', deposits } as const
  const report = { merNo, tradeNo, attemptNo: 1, outcome, at: new Date(), awaitsPayerMinutes: 4320 }
  await recordOutcomes({ db, rates: noRates }, [report])
  const page = await browser.open('/queues/outcomes', operator)
  const row = page.getByRole('row').filter({ hasText: tradeNo })
  const dialog = page.getByRole('dialog')
  const state = async (amount: string) => {
    await row.getByRole('button', { name: 'Moved', exact: true }).click()
    await page.getByLabel('Received in all').fill(amount)
    await page.getByLabel('Reason').fill('Seen at the bank')
    await dialog.getByRole('button', { name: 'Moved', exact: true }).click()
  }
  await state('40.00')
  await page.getByText('€40.00 of €100.00').waitFor()
  await page.getByText('40.00 of 100.00 is recorded as received').first().waitFor()
  await look(page, 'office-outcome-part')
  await page.getByLabel('Received in all').fill('70.00')
  await dialog.getByRole('button', { name: 'Moved', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await row.getByRole('button', { name: 'Not moved' }).click()
  await page.getByText('€70.00 of €100.00').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await state('100.00')
  await row.waitFor({ state: 'detached' })
})

test('a rate that would gain money is refused until the operator confirms it', async () => {
  const page = await browser.open('/channels/rates', operator)
  const dialog = page.getByRole('dialog')
  const set = async (...values: readonly string[]) => {
    await page.getByRole('button', { name: 'Set a rate' }).click()
    for (const [index, label] of ['From', 'To', 'Rate', 'Reason'].entries())
      await dialog
        .getByLabel(label)
        .first()
        .fill(values[index] ?? '')
    await dialog.getByRole('button', { name: 'Set a rate' }).click()
  }
  await set('USD', 'ISK', '130', 'Month end')
  await dialog.waitFor({ state: 'detached' })
  await set('ISK', 'USD', '0.01', 'Month end')
  await dialog.getByText('and is 1.3').first().waitFor()
  await look(page, 'office-rate-confirm')
  await dialog.getByLabel('The rate is right: set it anyway').check()
  await dialog.getByRole('button', { name: 'Set a rate' }).click()
  await dialog.waitFor({ state: 'detached' })
})

test('a refund and a payout that came back short show what that cost', async () => {
  const { db, demo } = browser.office
  const payment = await paidOrder(db, { merNo: demo.merNo, amount: 6_000n })
  const refund = await accept(db, anApplication(payment, { amount: 5_000n }))
  const back = { kind: 'returned', message: 'the account is closed' } as const
  await record(db, succeeded(refund))
  await record(db, { ...succeeded(refund), outcome: { ...back, money: { ...refund.money, amount: 4_650n } } })
  const paid = async () => {
    const { rows } = await owner.call('GET /payouts', { query: { state: 'succeeded' } })
    return rows.find(({ money }) => money.amount === '12.50')
  }
  assert.ok(await eventually(async () => (await paid()) !== undefined), 'no payout is paid')
  const payout = await paid()
  assert.ok(payout)
  const money = { amount: 1_200n, currency: 'USD' }
  const event = { kind: 'outcome', outcome: { ...back, money } } as const
  await changePayouts(db, [{ merNo: demo.merNo, tradeNo: payout.tradeNo, event, at: new Date() }])

  const payouts = await browser.open('/payouts', owner)
  await payouts.getByText('Cost of the return: US$0.50').waitFor()
  await look(payouts, 'office-payout-came-back')
  const refunds = await browser.open('/refunds', owner)
  await refunds.getByText('Cost of the return: US$3.50').waitFor()
  await look(refunds, 'office-refund-came-back')
  const order = await browser.open(`/order/${payment.tradeNo}`, owner)
  await order
    .getByText(/46\.50 USD of 50\.00 USD came back; the cost of the return is 3\.50 USD/)
    .first()
    .waitFor()
  await order.getByText('What /order/query answered').waitFor()
  assert.match(await order.locator('main').innerText(), /Refunded\s+US\$0\.00/)
  await look(order, 'office-order-refund-came-back')
})

test('an operator decides an unknown outcome, and a large one waits for another operator', async () => {
  const { db, demo } = browser.office
  const made = aPayment({ merNo: demo.merNo, money: { amount: 250_000n, currency: 'USD' } })
  const payment = { ...made, attempt: made.attempt && { ...made.attempt, channel: 'removed' } }
  await acceptPayments(db, [payment])
  const { merNo, tradeNo } = payment
  const outcome = { kind: 'unknown', why: 'silent' } as const
  const report = { merNo, tradeNo, attemptNo: 1, outcome, at: new Date(), awaitsPayerMinutes: 30 }
  await recordOutcomes({ db, rates: noRates }, [report])
  const page = await browser.open('/queues/outcomes', operator)
  const row = page.getByRole('row').filter({ hasText: tradeNo })
  await row.getByRole('button', { name: 'Moved', exact: true }).click()
  await page.getByText('a second person has to approve it').waitFor()
  await look(page, 'office-outcome')
  await page.getByLabel('Reason').fill('Seen in the portal')
  await page.getByRole('dialog').getByRole('button', { name: 'Moved', exact: true }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const other = await browser.open('/queues/approvals', await browser.office.operator('finance'))
  const waiting = other.getByRole('row').filter({ hasText: tradeNo })
  await waiting.getByText(payment.merOrderNo).waitFor()
  await waiting.getByText(/Card · US\$2,500\.00/).waitFor()
  await look(other, 'office-approvals')
  await waiting.getByRole('button', { name: 'Approve' }).click()
  await other.getByLabel('Reason').fill('Agreed')
  await other.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await waiting.waitFor({ state: 'detached' })
  await page.reload()
  await page.getByText('Every outcome is known').waitFor()
})
