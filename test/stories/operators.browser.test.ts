// What operators do in the back office, in a real browser.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Person } from '../back-office.ts'
import { pay } from '../client.ts'
import { type OfficeBrowser, openOfficeBrowser } from '../office-browser.ts'
import { checkLooks } from '../page-checks.ts'

let browser: OfficeBrowser
let admin: Person
before(async () => {
  browser = await openOfficeBrowser()
  admin = await browser.office.operator()
  await pay(browser.office.demo)
})
after(() => browser.close())
afterEach(() => browser.assertQuiet())

test('an operator finds a merchant, previews a new fee, and saves it', async () => {
  const page = await browser.open('/merchants', admin)
  await page.getByRole('link', { name: String(browser.office.demo.merNo) }).click()
  await page.getByRole('heading', { name: /^Demo Shop/ }).waitFor()
  await checkLooks(page, 'office-merchant')
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Percentage fee in basis points').fill('much')
  await page.getByLabel('Reason').fill('New contract')
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByText('It must be a whole number from 0 to 10000.').waitFor()
  await page.getByLabel('Percentage fee in basis points').fill('290')
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByText(/An order of 100\.00 USD by card, .*costs 2\.90 instead of 0\.00\./).waitFor()
  await checkLooks(page, 'office-merchant-preview')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('cell', { name: '2.9 % + 0.00' }).waitFor()
})

test('a channel is paused with a reason, and resumed', async () => {
  const page = await browser.open('/channels', admin)
  const card = page.getByRole('row').filter({ hasText: 'card' }).first()
  await card.getByRole('button', { name: 'Pause' }).click()
  await page.getByLabel('Reason').fill('Maintenance')
  await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click()
  await card.getByText('Paused').waitFor()
  await checkLooks(page, 'office-channels')
  await card.getByRole('button', { name: 'Resume' }).click()
  await page.getByLabel('Reason').fill('Done')
  await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click()
  await card.getByText('In use').waitFor()
})

test('the books are browsed and checked', async () => {
  const page = await browser.open('/books', admin)
  await page.getByText('Balanced').first().waitFor()
  assert.equal(await page.getByText('Not balanced').count(), 0)
  await checkLooks(page, 'office-trial-balance')
  await page.getByRole('link', { name: 'Check' }).click()
  await page.getByRole('button', { name: 'Check the books now' }).click()
  await page.getByText(/^Sound: \d+ orders/).waitFor()
  await checkLooks(page, 'office-check')
  await page.getByRole('link', { name: 'Ledger' }).click()
  await page.getByText('Choose a merchant').waitFor()
  const ledger = await browser.open(`/books/entries?merNo=${browser.office.demo.merNo}`, admin)
  await ledger.getByRole('cell', { name: 'merchant:unsettled' }).waitFor()
  await checkLooks(ledger, 'office-ledger')
})

test('queues, rates and settlement are shown', async () => {
  for (const [path, name] of [
    ['/queues', 'Waiting'],
    ['/channels/rates', 'Rates'],
    ['/books/settlement', 'Settlement'],
    ['/merchants', 'Merchants'],
  ] as const) {
    const page = await browser.open(path, admin)
    await page.getByRole('heading', { name, exact: true }).waitFor()
    await checkLooks(page, `office-${name.toLowerCase()}`)
  }
})

test('a viewer sees the same without buttons', async () => {
  const viewer = await browser.office.operator('viewer')
  const page = await browser.open('/channels', viewer)
  await page.getByRole('cell', { name: 'card' }).first().waitFor()
  assert.equal(await page.getByRole('button', { name: 'Pause' }).count(), 0)
})
