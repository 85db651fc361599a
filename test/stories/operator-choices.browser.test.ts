// What operators may choose in a form, as with an option of a command, in a real browser.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { State } from '../../src/money/orders/order.ts'
import { bookSuspense } from '../../src/money/suspense/book-suspense.ts'
import { leaseWatcher, noteWork } from '../../src/rails/toolkit/records/store-sql.ts'
import { paidOrder, stateOf } from '../builders/paid-orders.ts'
import { accept, anApplication } from '../builders/refunds.ts'
import { orderInReview } from '../builders/reviews.ts'
import type { Person } from '../harness/back-office.ts'
import { pay } from '../harness/client.ts'
import { eventually } from '../harness/eventually.ts'
import { type OfficeBrowser, openOfficeBrowser } from '../harness/office-browser.ts'
import { checkLooks } from '../harness/page-checks.ts'

let browser: OfficeBrowser
let operator: Person
before(async () => {
  browser = await openOfficeBrowser()
  operator = await browser.office.operator()
})
after(() => browser.close())
afterEach(() => browser.assertQuiet())

const inDialog = (page: Page) => page.getByRole('dialog').last()

test('a merchant that must be approved first takes no payments until then', async () => {
  const page = await browser.open('/merchants', operator)
  await page.getByRole('button', { name: 'New merchant' }).click()
  const form = inDialog(page)
  await form.getByLabel('Name').fill('Patient Shop')
  await form.getByLabel('Website').fill('patient.example')
  await form.getByLabel('It must be approved first').check()
  await form.getByLabel('Reason').fill('Signed up by phone')
  await form.getByRole('button', { name: 'New merchant' }).click()
  await page.getByRole('dialog', { name: 'The new merchant' }).waitFor()
  const { rows } = await operator.call('GET /merchants', { query: { state: 'pending' } })
  const made = rows.find(({ name }) => name === 'Patient Shop') ?? assert.fail('it waits for nobody')
  const shown = await browser.open(`/merchants/${made.merNo}`, operator)
  await shown.getByText('Waits for approval').first().waitFor()
  await shown.getByRole('button', { name: 'Approve' }).waitFor()
})

test('a correction between accounts of the platform belongs to no merchant', async () => {
  const page = await browser.open('/books/entries?merNo=0&kind=corrections', operator)
  await page.getByRole('button', { name: 'Correct a balance' }).click()
  const form = inDialog(page)
  assert.equal(await form.getByLabel(/^Merchant/).inputValue(), '0')
  await form.getByText('0 is the platform.').waitFor()
  await form.getByRole('combobox', { name: /^From account/ }).fill('platform:fees')
  await form.getByRole('combobox', { name: /^To account/ }).fill('rail:card')
  await form.getByLabel(/^Amount/).fill('1.25')
  await form.getByLabel('Reason').fill('Paid out by the bank')
  await form.getByRole('button', { name: 'Book the entry' }).click()
  await form.getByText(/^Booked as K/).waitFor()
  await form.getByRole('button', { name: 'Close' }).last().click()
  const row = page.getByRole('row').filter({ hasText: 'platform:fees' })
  assert.match((await row.first().textContent()) ?? '', /1\.25/)
})

test('a rejected review whose money the operator has returned is only booked', async () => {
  const { db, demo } = browser.office
  const order = await orderInReview(db, { merNo: demo.merNo })
  const page = await browser.open(`/queues/reviews/${order.tradeNo}`, operator)
  await page.getByRole('button', { name: 'Reject' }).click()
  const form = inDialog(page)
  await form.getByText('The channel returns the money').waitFor()
  await form.getByLabel('The money was already returned').check()
  await form.getByText('It is only booked that the money went back').waitFor()
  await form.getByLabel('Reason').fill('Returned by hand at the bank')
  await form.getByRole('button', { name: 'Reject' }).click()
  await page.getByText('Rejected').first().waitFor()
  assert.equal(await stateOf(db, order), State.failed)
})

test('a queue shows one merchant only, or what belongs to no known merchant', async () => {
  const { db, demo } = browser.office
  const stray = { channel: 'card', money: { amount: 500n, currency: 'USD' }, why: 'unmatched' } as const
  const booked = [0, demo.merNo].map((merNo) => {
    return { ...stray, merNo, reference: `stray of ${merNo}`, origin: 'statement', at: new Date() } as const
  })
  await db.transaction((tx) => bookSuspense(tx, booked))
  const page = await browser.open('/queues/suspense', operator)
  const row = (merNo: number) => page.getByRole('row').filter({ hasText: `stray of ${merNo}` })
  await row(0).waitFor()
  await row(demo.merNo).waitFor()
  await page.getByRole('button', { name: 'Merchant' }).click()
  await page.getByLabel('Merchant', { exact: true }).last().fill('0')
  await page.getByRole('button', { name: 'Apply' }).click()
  await row(demo.merNo).waitFor({ state: 'detached' })
  assert.equal(await row(0).count(), 1)
  await checkLooks(page, 'office-suspense-one-merchant')
  for (const path of ['/queues/outcomes', '/queues/refunds', '/queues/payouts']) {
    const other = await browser.open(`${path}?merNo=${demo.merNo}`, operator)
    await other.getByText('Remove the filter to see all.').waitFor()
  }
})

test('a settlement takes in what is due by a later day, and a rate counts from then on', async () => {
  const { db, demo } = browser.office
  await paidOrder(db, { merNo: demo.merNo, amount: 2_000n })
  const page = await browser.open('/books/settlement', operator)
  await page.getByRole('button', { name: 'Settle now' }).click()
  await inDialog(page).getByLabel('Due by').fill('2100-01-31T09:30')
  await inDialog(page).getByLabel('Reason').fill('Before the holidays')
  await inDialog(page).getByRole('button', { name: 'Settle now' }).click()
  await page
    .getByText(/settled/)
    .first()
    .waitFor()
  const { runs } = await operator.call('GET /settlement/runs', {})
  assert.equal(runs[0]?.result?.asOf, '2100-01-31T09:30:00.000Z')
  const rates = await browser.open('/channels/rates', operator)
  await rates.getByRole('button', { name: 'Set a rate' }).click()
  const form = inDialog(rates)
  await form.getByLabel('From', { exact: false }).first().fill('USD')
  await form.getByLabel('To', { exact: false }).first().fill('NOK')
  await form.getByLabel('Rate').fill('10.5')
  await form.getByLabel('Valid from').fill('2100-02-01T00:00')
  await form.getByLabel('Reason').fill('Next month')
  await checkLooks(rates, 'office-rate-later')
  await form.getByRole('button', { name: 'Set a rate' }).click()
  await form.waitFor({ state: 'detached' })
  const coming = rates.getByRole('table', { name: 'Rates that begin later' })
  const row = coming.getByRole('row').filter({ hasText: 'USD → NOK' })
  assert.match((await row.textContent()) ?? '', /10\.5.*2100/)
  await row.getByRole('button', { name: 'Correct' }).click()
  await form.getByLabel('Rate').fill('10.75')
  await form.getByLabel('Reason').fill('A typing mistake')
  await form.getByRole('button', { name: 'Correct' }).click()
  await form.waitFor({ state: 'detached' })
  await row.filter({ hasText: '10.75' }).waitFor()
  await checkLooks(rates, 'office-rates-coming')
  const params = { from: 'USD', to: 'NOK' }
  const [newest] = (await operator.call('GET /rates/:from/:to', { params })).history
  assert.deepEqual(
    { rate: Number(newest?.rate), validFrom: newest?.validFrom },
    { rate: 10.75, validFrom: '2100-02-01T00:00:00.000Z' },
  )
})

test('a notification that failed and is tried again is retrying, with the reason and the next time', async () => {
  const { office } = browser
  const { merNo } = office.demo
  await pay(office.demo, { notifyUrl: 'http://127.0.0.1:9/closed' })
  const query = { merNo, state: 'retrying' } as const
  const isRetrying = async () => (await operator.call('GET /notifications', { query })).rows.length > 0
  assert.ok(await eventually(isRetrying))
  const owner = await office.person(merNo, 'owner')
  for (const [person, path] of [
    [owner, '/developers/notifications?state=retrying'],
    [operator, `/merchant-notifications?merNo=${merNo}&state=retrying`],
  ] as const) {
    const page = await browser.open(path, person)
    await page.getByRole('row', { name: /Retrying.*the connection was refused/ }).click()
    const panel = page.getByRole('dialog', { name: 'Notification' })
    await panel.getByText('Retrying', { exact: true }).waitFor()
    await panel.getByText('Last failure').waitFor()
    await panel.getByText('Next attempt').waitFor()
    const name = person === owner ? 'owner' : 'operator'
    await checkLooks(page, `office-retrying-${name}`)
    const start = await browser.open('/', person)
    const health = start.getByRole('row', {
      name: /^http:\/\/127\.0\.0\.1:9 .*0%.*the connection was refused/,
    })
    await health.waitFor()
    await checkLooks(start, `office-endpoints-${name}`)
  }
})

test('failed and retrying notifications of all merchants are sent again, with the reason in the audit log', async () => {
  const { db, demo } = browser.office
  await pay(demo, { notifyUrl: 'http://127.0.0.1:9/closed' })
  const query = { merNo: demo.merNo, state: 'retrying' } as const
  const isRetrying = async () => (await operator.call('GET /notifications', { query })).rows.length > 0
  assert.ok(await eventually(isRetrying))
  await db.query({ text: 'update notifications set failed_at = now(), due_at = null, leased_until = null' })
  assert.ok(!(await isRetrying()))
  await pay(demo, { notifyUrl: 'http://127.0.0.1:9/closed' })
  assert.ok(await eventually(isRetrying))
  const page = await browser.open('/queues/deliveries', operator)
  // The retrying notification is on the page, and is counted in the queue's tile and on the first page.
  const row = page.getByRole('row', { name: new RegExp(`^${demo.merNo} 1 0 `) })
  await row.waitFor()
  await checkLooks(page, 'office-deliveries')
  const [tiles, start] = [await browser.open('/queues', operator), await browser.open('/', operator)]
  await tiles.getByRole('link', { name: '1 Notifications retrying or overdue' }).waitFor()
  await checkLooks(tiles, 'office-queues-stuck')
  await start.getByRole('row', { name: /^Notifications retrying or overdue 1/ }).waitFor()
  await page.getByRole('button', { name: 'Send all failed and retrying again' }).click()
  const form = inDialog(page)
  await form.getByLabel('Reason').fill('The network was down')
  await form.getByRole('button', { name: 'Count' }).click()
  await form.getByText(/^\d+ notifications will be sent again at once: \d+ failed, 1 retrying\.$/).waitFor()
  await checkLooks(page, 'office-resend-failed')
  await form.getByRole('button', { name: /^Send \d+ again$/ }).click()
  await form.waitFor({ state: 'detached' })
  const action = 'notification.resend-failed'
  const [line] = (await operator.call('GET /audit', { query: { action } })).rows
  assert.deepEqual({ merNo: line?.merNo, reason: line?.reason }, { merNo: 0, reason: 'The network was down' })
})

test('a rejected refund tells the merchant one reason, and the audit log another', async () => {
  const { db, demo } = browser.office
  const payment = await paidOrder(db, { merNo: demo.merNo })
  const { refundNo } = await accept(db, anApplication(payment, { terms: { approveRefunds: true } }))
  const page = await browser.open('/queues/refunds', operator)
  await page.getByRole('row').filter({ hasText: refundNo }).getByRole('button', { name: 'Reject' }).click()
  const form = inDialog(page)
  await form.getByLabel('Reason', { exact: false }).first().fill('Send the invoice first')
  await form.getByLabel('Reason for the audit log').fill('Third one this week')
  await checkLooks(page, 'office-reject-two-reasons')
  await form.getByRole('button', { name: 'Reject' }).click()
  await form.waitFor({ state: 'detached' })
  const [line] = (await operator.call('GET /audit', { query: { subject: refundNo } })).rows
  assert.equal(line?.reason, 'Third one this week')
  const { rows } = await operator.call('GET /refunds', { query: { merNo: demo.merNo } })
  const message = rows.find((one) => one.refundNo === refundNo)?.message
  assert.equal(message, 'The refund was not approved: Send the invoice first')
})

test('a person who asked for a refund can only take it back', async () => {
  const { db, demo } = browser.office
  const payment = await paidOrder(db, { merNo: demo.merNo })
  const by = { actor: { kind: 'user', name: operator.email }, reason: 'Sent twice' } as const
  const { refundNo } = await accept(db, anApplication(payment, { terms: { approveRefunds: true }, by }))
  const page = await browser.open('/queues/refunds', operator)
  const row = page.getByRole('row').filter({ hasText: refundNo })
  await row.getByText('You asked for this').waitFor()
  await row.getByRole('button', { name: 'Take back' }).waitFor()
  assert.equal(await row.getByRole('button', { name: 'Approve' }).count(), 0)
  await checkLooks(page, 'office-own-refund')
})

test('the actions of a page are beside its title, and the settings of a channel in one line', async () => {
  const page = await browser.open('/books/reconciliation', operator)
  const boxOf = async (role: 'button' | 'heading', name: string) =>
    (await page.getByRole(role, { name, exact: true }).first().boundingBox()) ?? assert.fail(name)
  const [button, title] = [
    await boxOf('button', 'Import a statement'),
    await boxOf('heading', 'Reconciliation'),
  ]
  assert.ok(button.y < title.y + title.height && button.x > title.x + title.width)
  const channels = await browser.open('/channels', operator)
  const settings = await channels.getByText(/^wechat, with/).boundingBox()
  assert.ok((settings?.height ?? 99) < 24, `${settings?.height} pixels high`)
})

test('why the background work of a channel fails is on the page of channels', async () => {
  const { db } = browser.office
  const now = new Date()
  const until = new Date(now.getTime() + 60_000)
  await leaseWatcher(db, { channel: 'wechat', node: randomUUID(), now, until })
  await noteWork(db, 'wechat', { at: now, why: 'the folder /srv/bank/in is not there' })
  const page = await browser.open('/channels', operator)
  const alert = page.getByRole('alert').filter({ hasText: 'The background work of wechat fails' })
  await alert.getByText('the folder /srv/bank/in is not there').waitFor()
  await checkLooks(page, 'office-channel-work')
})
