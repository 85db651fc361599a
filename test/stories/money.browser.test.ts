// Payouts with a second person, disputes with evidence, and what only an operator can decide, in a real browser.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { acceptPayments } from '../../src/payments/accept-payments.ts'
import { recordOutcomes } from '../../src/payments/record-outcomes.ts'
import type { Person } from '../back-office.ts'
import { aPayment, noRates } from '../builders.ts'
import { type OfficeBrowser, openOfficeBrowser } from '../office-browser.ts'
import { checkLooks } from '../page-checks.ts'
import { paidOrder } from '../paid-orders.ts'

/** The checks leave the window narrow. */
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
  await second.getByText(/^1 payout, 12\.50 USD · It pays an account that is new/).waitFor()
  await second.getByText('Paper mill · …3000 · Bank account · USD').waitFor()
  await look(second, 'office-payout-approvals')
  await waiting.getByRole('button', { name: 'Approve' }).click()
  await second.getByLabel('Reason').fill('Seen')
  await second.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await waiting.waitFor({ state: 'detached' })
  await page.getByRole('dialog').getByText('Done').waitFor()
  await look(page, 'office-payout-run')
})

test('a dispute is answered with a file, and the statement adds up', async () => {
  const { merNo } = browser.office.demo
  const { tradeNo } = await paidOrder(browser.office.db, { merNo, terms: { feeBps: 290 }, amount: 4_200n })
  await operator.call('POST /disputes', { body: { tradeNo, reasonCode: '4853', reason: 'By mail' } })
  const page = await browser.open('/disputes/cases', owner)
  await page.getByRole('link', { name: tradeNo }).click()
  await page.getByLabel('What it shows').fill('Signed delivery note')
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'note.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') })
  await page.getByRole('button', { name: 'Add evidence' }).click()
  await page.getByRole('button', { name: 'note.pdf' }).first().waitFor()
  await look(page, 'office-dispute')
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
  await waiting.waitFor()
  await look(other, 'office-approvals')
  await waiting.getByRole('button', { name: 'Approve' }).click()
  await other.getByLabel('Reason').fill('Agreed')
  await other.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await waiting.waitFor({ state: 'detached' })
  await page.reload()
  await page.getByText('Every outcome is known').waitFor()
})
