// Fee plans with names, and money that is held in reserve.
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { paidOrder } from '../builders/paid-orders.ts'
import type { Person } from '../harness/back-office.ts'
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

test('a plan is made and chosen for a merchant, and its change is previewed with its merchants', async () => {
  const { merNo } = browser.office.demo
  const page = await browser.open('/fee-plans', operator)
  await page.getByText('No fee plan has a name yet').waitFor()
  await page.getByRole('button', { name: 'New plan' }).click()
  await page.getByLabel('Name').fill('Standard')
  await page.getByLabel('Percentage fee in basis points').fill('much')
  await page.getByLabel('Reason').fill('Price list')
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByText(/must be a whole number/).waitFor()
  await page.getByLabel('Percentage fee in basis points').fill('250')
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByText('No merchant follows this plan.').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Standard' }).waitFor()

  const merchant = await browser.open(`/merchants/${merNo}`, operator)
  await merchant.getByText('Own terms').waitFor()
  await merchant.getByRole('button', { name: 'Choose a plan' }).click()
  await merchant.getByLabel('Plan', { exact: true }).selectOption('Standard')
  await merchant.getByLabel('Reason').fill('New contract')
  await merchant.getByRole('button', { name: 'Preview' }).click()
  await merchant.getByRole('button', { name: 'Save' }).click()
  await merchant.getByText('Follows the plan Standard').waitFor()
  await look(merchant, 'office-merchant-plan')

  await page.reload()
  await page.getByText('1 merchant follows it').waitFor()
  await look(page, 'office-fee-plans')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByLabel('Percentage fee in basis points').fill('300')
  await page.getByLabel('Reason').fill('Price list')
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByText('Merchants whose terms change: 1').waitFor()
  await look(page, 'office-fee-plan-preview')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('3 % + 0.00').waitFor()
})

test('operators see what is held in reserve, and when it is released', async () => {
  const { db, demo } = browser.office
  await paidOrder(db, { merNo: demo.merNo, amount: 10_000n, terms: { marginBps: 1_000, marginDays: 90 } })
  const page = await browser.open('/books/reserves', operator)
  await page.getByRole('link', { name: String(demo.merNo) }).waitFor()
  await page.getByRole('cell', { name: 'US$10.00' }).first().waitFor()
  await page.getByRole('link', { name: String(demo.merNo) }).click()
  await page.getByRole('dialog').getByText('Released on').waitFor()
  await look(page, 'office-reserves')
})
