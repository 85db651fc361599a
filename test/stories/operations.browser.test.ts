// What operators do besides decisions: reconciliation, the overview, checks of the installation, fee plans.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { endRun, insertRun, updateProgress } from '../../src/interfaces/backoffice/runs/sql.ts'
import { rebuildIndex } from '../../src/money/order-queries/search/index-orders.ts'
import { type CountStep, writeCounts } from '../../src/money/order-queries/search/write-index.ts'
import { attemptReference, State, type StateNumber } from '../../src/money/orders/order.ts'
import { acceptPayments } from '../../src/money/payments/accept-payments.ts'
import { recordOutcomes } from '../../src/money/payments/record-outcomes.ts'
import { makeId } from '../../src/platform/base/id.ts'
import { addDays, localTime } from '../../src/platform/base/local-day.ts'
import { aPayment, aSuccess, noRates } from '../builders/builders.ts'
import { paidOrder } from '../builders/paid-orders.ts'
import type { Person } from '../harness/back-office.ts'
import { pay } from '../harness/client.ts'
import { eventually } from '../harness/eventually.ts'
import { type OfficeBrowser, openOfficeBrowser } from '../harness/office-browser.ts'
import { checkLooks } from '../harness/page-checks.ts'

/** Checks the looks of the page, and widens the window again, because the checks leave it narrow. */
async function look(page: Page, name: string): Promise<void> {
  await checkLooks(page, name)
  await page.setViewportSize({ width: 1280, height: 900 })
}

let browser: OfficeBrowser
let operator: Person
before(async () => {
  browser = await openOfficeBrowser()
  operator = await browser.office.operator()
})
after(() => browser.close())
afterEach(() => browser.assertQuiet())

test('a statement is imported, and its differences are assigned and explained', async () => {
  const { db, demo } = browser.office
  const { merNo } = demo
  const day = '2026-03-02'
  const at = new Date(`${day}T12:00:00Z`)
  const paid = await paidOrder(db, { merNo, at })
  await paidOrder(db, { merNo, at, amount: 4_200n })
  const late = aPayment({ merNo, createdAt: at, money: { amount: 3_300n, currency: 'USD' } })
  await acceptPayments(db, [late])
  const outcome = { kind: 'failed', cause: 'cancelled', message: 'Nobody came' } as const
  await recordOutcomes({ db, rates: noRates }, [aSuccess(late, { outcome, at })])
  const lines = [
    'reference,type,amount,currency,fee,date',
    `${attemptReference(paid.tradeNo, 1)},payment,10.00,USD,0.30,${day}`,
    `invoice 17,payment,33.00,USD,0.30,${day}`,
    `R-unknown,refund,5.00,USD,,${day}`,
  ]
  const page = await browser.open('/books/reconciliation', operator)
  await page.getByText('No statement was imported yet').waitFor()
  await look(page, 'office-reconciliation-empty')
  await page.getByRole('button', { name: 'Import a statement' }).click()
  await page.getByRole('combobox', { name: 'Channel' }).fill('card')
  const choose = (content: string) =>
    page
      .locator('input[type=file]')
      .setInputFiles({ name: 'card.csv', mimeType: 'text/csv', buffer: Buffer.from(content) })
  await choose('amount;date\n1;2')
  await page.getByRole('button', { name: 'Import and compare' }).click()
  await page
    .getByText(/the first line must be/)
    .first()
    .waitFor()
  await look(page, 'office-reconciliation-import')
  await choose(lines.join('\n'))
  await page.getByRole('button', { name: 'Import and compare' }).click()
  await page.getByText('1 of 3 lines match, differences: 3.').waitFor()
  await look(page, 'office-reconciliation')
  await page.getByRole('link', { name: 'card.csv', exact: true }).click()
  const row = page.getByRole('row').filter({ hasText: 'invoice 17' })
  await row.waitFor()
  await look(page, 'office-reconciliation-statement')
  await row.getByRole('button', { name: 'Assign' }).click()
  await page.getByLabel('Trade number of the order').fill(late.tradeNo)
  await page.getByLabel('Reason').fill('The payer named the invoice')
  await page.getByRole('dialog').getByRole('button', { name: 'Assign' }).click()
  await row.waitFor({ state: 'detached' })
  const refund = page.getByRole('row').filter({ hasText: 'R-unknown' })
  await refund.getByRole('button', { name: 'Explain' }).click()
  await page.getByLabel('Reason').fill('Made by hand in the portal')
  await page.getByRole('dialog').getByRole('button', { name: 'Explain' }).click()
  await refund.waitFor({ state: 'detached' })
  await page.getByText('Closed', { exact: true }).click()
  await page.getByText('Made by hand in the portal').waitFor()
  await look(page, 'office-reconciliation-closed')
  const suspense = await browser.open('/queues/suspense', operator)
  await suspense.getByRole('row').filter({ hasText: late.tradeNo }).waitFor()
  assert.equal(await suspense.getByRole('button', { name: 'Accept' }).count(), 1)
})

test('a corrected statement replaces the earlier one that the person chooses', async () => {
  const day = '2026-03-04'
  const page = await browser.open('/books/reconciliation', operator)
  const importFile = async (name: string, amounts: readonly string[], replaces?: RegExp) => {
    const lines = amounts.map((amount) => `gift ${amount},payment,${amount},USD,,${day}`)
    const content = ['reference,type,amount,currency,fee,date', ...lines].join('\n')
    await page.getByRole('button', { name: 'Import a statement' }).click()
    await page.getByRole('combobox', { name: 'Channel' }).fill('card')
    const file = { name, mimeType: 'text/csv', buffer: Buffer.from(content) }
    await page.locator('input[type=file]').setInputFiles(file)
    if (replaces !== undefined) {
      await page.getByRole('combobox', { name: 'Replaces' }).click()
      await page.getByRole('option', { name: replaces }).click()
      await look(page, 'office-reconciliation-replace')
    }
    await page.getByRole('button', { name: 'Import and compare' }).click()
    await page.getByRole('status').filter({ hasText: name }).waitFor()
  }
  await importFile('march.csv', ['1.00', '2.00'])
  await importFile('march-again.csv', ['1.00'])
  await page.getByRole('link', { name: 'march-again.csv', exact: true }).click()
  await page.getByText(/import it again and choose the earlier one/).waitFor()
  const row = page.getByRole('row').filter({ hasText: 'gift 2.00' })
  await row.getByText('Only an earlier statement lists it').waitFor()
  await look(page, 'office-reconciliation-not-repeated')
  await page.goBack()
  await importFile('march-corrected.csv', ['1.00'], /^march\.csv/)
  await page.getByText('Withdrawn from suspense: 1.').waitFor()
})

/** Writes counts as if nine of ten payments of the merchant used to succeed, and two of ten did in this hour. */
async function makeFail(merNo: number): Promise<void> {
  const { db } = browser.office
  const step = (daysAgo: number, state: StateNumber, orders: bigint): CountStep => {
    const local = localTime(new Date(), 'UTC')
    const day = { localDay: addDays(local.slice(0, 10), -daysAgo), hour: Number(local.slice(11, 13)) }
    const cell = { ...day, method: 'card', state, currency: 'USD', amount: 1_000n, reason: '' }
    return { merNo, cell, orders, amount: 1_000n * orders }
  }
  const steps = [1, 2, 3, 4, 5, 6].flatMap((daysAgo) => [
    step(daysAgo, State.succeeded, 900n + 20n * BigInt(daysAgo)),
    step(daysAgo, State.failed, 100n),
  ])
  const now = [step(0, State.succeeded, 200n), step(0, State.failed, 800n)]
  await db.transaction((tx) => writeCounts(tx, [...steps, ...now]))
}

test('an operator begins with what needs attention, and checks the installation', async () => {
  const { db, demo } = browser.office
  const { merNo } = demo
  const { tradeNo } = await paidOrder(db, { merNo })
  await operator.call('POST /disputes', { body: { tradeNo, reasonCode: '4853', reason: 'By mail' } })
  await pay(demo)
  const isCounted = async () =>
    (await operator.call('GET /operations/payments', {})).total?.today.paid !== undefined
  assert.ok(await eventually(isCounted))
  await makeFail(merNo)
  const page = await browser.open('/', operator)
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Open disputes' }).waitFor()
  const row = page
    .getByRole('table', { name: 'Failing now, compared with usual' })
    .getByRole('row')
    .filter({ hasText: `Demo Shop (${merNo})` })
  await row.getByText(/^9\d(\.\d)?%$/).waitFor()
  const headings = await page.getByRole('heading', { level: 2 }).allTextContents()
  assert.deepEqual(headings, [
    'Failing now, compared with usual',
    'Today so far',
    'Volume in USD and success rate by day, last 14 days',
    'Needs attention',
    'Channels in the last hour',
    "Merchants' servers and the newest notifications of the last 24 hours",
    'By currency, today',
    'Last check of the books',
  ])
  await page.locator('.chart canvas').waitFor()
  await look(page, 'office-operations')
  // The search indexes orders only while they are new, so it does not know the orders that tests store with a past
  // time.
  await rebuildIndex(db, new Date())
  // The notifications of this file go to a host that does not exist, and the check would warn that they are retrying.
  await db.query({ text: 'delete from notifications' })
  await page.getByRole('link', { name: 'Installation' }).click()
  await page.getByRole('button', { name: 'Check the installation' }).click()
  await page.getByText(/\b[1-9]\d* checks, all well\./).waitFor()
  await look(page, 'office-installation')
})

test('a check of the installation that is under way or broke off does not say that all is well', async () => {
  const { db } = browser.office
  const runId = makeId('X', 0, new Date())
  await insertRun(db, { runId, kind: 'doctor', by: 'operator', at: new Date() })
  const findings = [{ check: 'ledger', status: 'ok', found: 'It is sound' }]
  await updateProgress(db, runId, new Date(), { findings })
  const page = await browser.open('/operations/installation', operator)
  await page.getByText('Checking the installation: 1 done so far.').waitFor()
  await endRun(db, runId, { state: 'failed', at: new Date(), result: { error: 'The node stopped' } })
  await page.getByText('The check broke off after 1.').waitFor()
  await page.getByText('The node stopped').waitFor()
})

test('a balance is corrected, a dispute is opened by hand and gets another deadline', async () => {
  const { db, demo } = browser.office
  const { merNo } = demo
  const { tradeNo } = await paidOrder(db, { merNo, amount: 5_000n })
  const ledger = await browser.open(`/books/entries?merNo=${merNo}&kind=corrections`, operator)
  await ledger.getByRole('button', { name: 'Correct a balance' }).click()
  await ledger.getByRole('combobox', { name: /^From account/ }).fill('suspense')
  await ledger.getByRole('combobox', { name: /^To account/ }).fill('merchant:available')
  await ledger.getByLabel(/^Amount/).fill('2.50')
  await ledger.getByLabel('Reason').fill('Fee charged twice')
  await ledger.getByRole('button', { name: 'Book the entry' }).click()
  await ledger
    .getByText(/suspense cannot be corrected/)
    .first()
    .waitFor()
  await look(ledger, 'office-correction')
  await ledger.getByRole('combobox', { name: /^From account/ }).fill('platform:fees')
  await ledger.getByRole('button', { name: 'Book the entry' }).click()
  await ledger.getByText(/^Booked as K/).waitFor()
  await ledger.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
  await ledger.getByRole('row').filter({ hasText: 'platform:fees' }).waitFor()

  const page = await browser.open('/queues/disputes', operator)
  await page.getByRole('button', { name: 'Open a dispute' }).click()
  await page.getByLabel('Trade number of the order').fill(tradeNo)
  await page.getByLabel('Reason of the channel').selectOption('4855')
  await page.getByLabel('Reason', { exact: false }).last().fill('By mail')
  await look(page, 'office-dispute-open')
  await page.getByRole('button', { name: 'Open the dispute' }).click()
  await page.getByRole('button', { name: 'Change the deadline' }).click()
  await page.getByLabel('Answer by').fill('2026-12-24')
  await page.getByLabel('Reason').fill('The acquirer said so')
  await page.getByRole('dialog').last().getByRole('button', { name: 'Change the deadline' }).click()
  await page.getByText('24 Dec 2026, 23:59').waitFor()
})
