// A merchant from its registration to its first payout, in a real browser. Everything that people do on the way is in
// the audit log.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { settleDue } from '../../src/money/settlement/settle-due.ts'
import type { Person } from '../harness/back-office.ts'
import { type Account, pay } from '../harness/client.ts'
import { eventually } from '../harness/eventually.ts'
import { type OfficeBrowser, openOfficeBrowser } from '../harness/office-browser.ts'
import { mailTo } from '../harness/people.ts'

const EMAIL = 'rosa@lamps.example'
const SITE = 'lamps.example'
const WEEK_MS = 7 * 24 * 3_600_000

const actions = [
  'merchant.register',
  'merchant.approve',
  'merchant.site',
  'key.rotate',
  'refund.create',
  'notification.resend',
  'beneficiary.add',
  'payouts.create',
  'approval.ask',
  'approval.approve',
]

let browser: OfficeBrowser
let shop: Server
let answer = 'no'
before(async () => {
  shop = createServer((request, response) => {
    request.resume().on('end', () => response.end(answer))
  }).listen(0, '127.0.0.1')
  await once(shop, 'listening')
  browser = await openOfficeBrowser({ TOLLGATE_MINUTE_MS: '5' })
})
after(async () => {
  await browser.close()
  shop.close()
})
afterEach(() => browser.assertQuiet())

/** Fills in the reason that a dialog asks for, and confirms. */
async function confirm(page: Page, button: string, reason: string): Promise<void> {
  const dialog = page.getByRole('dialog').last()
  await dialog.getByLabel('Reason').fill(reason)
  await dialog.getByRole('button', { name: button, exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
}

async function register(): Promise<Page> {
  const page = await browser.open('')
  await page.getByRole('link', { name: 'Register your company' }).click()
  await page.getByLabel('Company').fill('Lamps & More')
  await page.getByLabel('Your name').fill('Rosa Diaz')
  await page.getByLabel('E-mail address').fill(EMAIL)
  await page.getByLabel('Website').fill(SITE)
  await page.getByLabel('Country').selectOption('ES')
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
  const { token } = await mailTo(browser.office, EMAIL, /./)
  await page.goto(`${browser.office.baseUrl}/backoffice/link#${token}`)
  await page.getByLabel('New password').fill('a quiet harbour at dusk')
  await page.getByRole('button', { name: 'Set the password' }).click()
  await page.getByText('Your company waits for approval').waitFor()
  return page
}

async function approve(): Promise<number> {
  const page = await browser.open('/merchants?state=pending', await browser.office.operator())
  const row = page.getByRole('row').filter({ hasText: 'Lamps & More' })
  const merNo = Number(await row.getByRole('link').first().textContent())
  await row.getByRole('link').first().click()
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await confirm(page, 'Approve', 'The papers are complete')
  await page.getByRole('button', { name: 'Approve website' }).click()
  await confirm(page, 'Approve website', 'It is the shop of this company')
  await page.getByText('Active', { exact: true }).first().waitFor()
  return merNo
}

async function makeKey(page: Page): Promise<string> {
  await page.goto(`${browser.office.baseUrl}/backoffice/developers/keys`)
  await page.getByRole('button', { name: 'Make a new key' }).click()
  const question = page.getByRole('dialog', { name: 'Make a new merchant key' })
  await question.getByRole('button', { name: 'Make a new key' }).click()
  const shown = page.getByRole('dialog', { name: 'Your new merchant key' })
  const key = (await shown.locator('pre, code').first().textContent()) ?? ''
  await shown.getByRole('button', { name: 'I have stored it' }).click()
  return key
}

async function findAndRefund(page: Page, viewer: Person, merOrderNo: string): Promise<void> {
  const query = { email: 'payer@shop.example' }
  assert.ok(await eventually(async () => (await viewer.call('GET /orders', { query })).rows.length > 0))
  await page.goto(`${browser.office.baseUrl}/backoffice/orders?email=payer%40shop.example`)
  await page.getByRole('link', { name: merOrderNo }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Refund' }).click()
  await page.getByLabel(/^Amount, at most/).fill('5.10')
  await page.getByLabel('Reason').fill('A lamp came back')
  await page.getByRole('dialog').getByRole('button', { name: 'Refund', exact: true }).last().click()
  await page.getByText(/Refund of .*5\.10 accepted/).waitFor()
}

async function resend(page: Page, viewer: Person, tradeNo: string): Promise<void> {
  const isIn = (state: 'failed' | 'delivered') => async () =>
    (await viewer.call('GET /notifications', { query: { tradeNo, state } })).rows.length > 0
  assert.ok(await eventually(isIn('failed')))
  await page.goto(`${browser.office.baseUrl}/backoffice/developers/notifications?tradeNo=${tradeNo}`)
  answer = 'SUCCESS'
  await page
    .getByRole('row', { name: /Failed/ })
    .first()
    .click()
  const panel = page.getByRole('dialog', { name: 'Notification' })
  await panel.getByRole('button', { name: 'Send again' }).click()
  await panel.getByText('It will be sent again now.').waitFor()
  assert.ok(await eventually(isIn('delivered')))
}

async function settleAWeekLater(): Promise<void> {
  const later = new Date(Date.now() + WEEK_MS)
  const failed = (_merNo: number, error: unknown) => assert.fail(String(error))
  await settleDue({ db: browser.office.db, clock: { now: () => later }, failed }, later)
}

async function payOut(page: Page, merNo: number): Promise<void> {
  const finance = await browser.open('/payouts/beneficiaries', await browser.office.person(merNo, 'finance'))
  await finance.getByRole('button', { name: 'Add a beneficiary' }).first().click()
  for (const [label, text] of [
    ['Name in the list', 'Paper mill'],
    ['IBAN or account number', 'DE89 3704 0044 0532 0130 00'],
    ['First name', 'Paper'],
    ['Last name', 'Mill'],
    ['Street and number', '1 Market Street'],
    ['City', 'Berlin'],
    ['Country, two letters', 'DE'],
  ] as const)
    await finance.getByLabel(label).fill(text)
  await finance.getByLabel('The currency is right').check()
  await finance.getByRole('button', { name: 'Save the beneficiary' }).click()
  await finance.getByRole('cell', { name: '…3000' }).waitFor()
  await finance.getByRole('link', { name: 'New payout' }).click()
  await finance.getByPlaceholder('Choose a saved beneficiary').click()
  await finance.getByRole('option', { name: /Paper mill/ }).click()
  await finance.getByLabel(/^Amount/).fill('2.50')
  await finance.getByRole('button', { name: 'Check' }).click()
  await finance.getByLabel('Reason').fill('Invoice 17')
  await finance.getByRole('button', { name: 'Ask for approval' }).click()
  await finance.getByRole('dialog').getByText('Waits for a second person').waitFor()
  await page.goto(`${browser.office.baseUrl}/backoffice/payouts/approvals`)
  const waiting = page.getByRole('row').filter({ hasText: '2.50' })
  await waiting.getByRole('button', { name: 'Approve' }).click()
  await confirm(page, 'Approve', 'Seen the invoice')
  await waiting.waitFor({ state: 'detached' })
  await finance.getByRole('dialog').getByText('Done').waitFor()
}

test('a company registers, is approved, takes a payment, refunds, is notified and pays out', async () => {
  const page = await register()
  const merNo = await approve()
  const account: Account = { baseUrl: browser.office.baseUrl, merNo, key: await makeKey(page), site: SITE }
  const { port } = shop.address() as AddressInfo
  const notifyUrl = `http://127.0.0.1:${port}/notify`
  const { code, data } = await pay(account, { notifyUrl })
  assert.equal(code, '00000')
  const viewer = await browser.office.person(merNo, 'developer')
  await findAndRefund(page, viewer, String(data.merOrderNo))
  await resend(page, viewer, String(data.tradeNo))
  await settleAWeekLater()
  await payOut(page, merNo)

  await page.goto(`${browser.office.baseUrl}/backoffice/settings/audit`)
  for (const action of actions) await page.getByRole('cell', { name: action, exact: true }).first().waitFor()
})
