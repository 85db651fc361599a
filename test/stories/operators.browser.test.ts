// What operators do in the back office, in a real browser.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { acceptPayments } from '../../src/money/payments/accept-payments.ts'
import { recordOutcomes } from '../../src/money/payments/record-outcomes.ts'
import { aDecline, aPayment, noRates } from '../builders/builders.ts'
import { paidOrder } from '../builders/paid-orders.ts'
import { accept, anApplication, dispute } from '../builders/refunds.ts'
import type { Person } from '../harness/back-office.ts'
import { pay } from '../harness/client.ts'
import { eventually } from '../harness/eventually.ts'
import { type OfficeBrowser, openOfficeBrowser } from '../harness/office-browser.ts'
import { checkLooks, isOnScreen } from '../harness/page-checks.ts'

const PHONE = { width: 390, height: 844 }

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
  await page.setViewportSize(PHONE)
  await page.evaluate('scrollTo(0, document.body.scrollHeight)')
  assert.ok(await isOnScreen(page.getByRole('button', { name: 'Suspend' })), 'Suspend stays on a phone')
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Percentage fee in basis points', { exact: true }).fill('much')
  await page.getByLabel('Reason').fill('New contract')
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByText('It must be a whole number from 0 to 10000.').waitFor()
  await page.getByLabel('Percentage fee in basis points', { exact: true }).fill('290')
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByText(/An order of 100\.00 USD by Card, .*costs 2\.90 instead of 0\.00\./).waitFor()
  await checkLooks(page, 'office-merchant-preview')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('cell', { name: '2.9 % + 0.00' }).waitFor()
})

test('an edit long after the second step is previewed at once, and asks again when it is saved', async () => {
  const { office } = browser
  const password = 'a quiet harbour at dusk'
  const late = await office.person(0, 'admin', password)
  const text = `update sessions set factor_at = factor_at - interval '10 minutes'
    where user_id in (select user_id from users where email = $1)`
  await office.db.query({ text, values: [late.email] })
  const page = await browser.open(`/merchants/${office.demo.merNo}`, late)
  await page.getByRole('button', { name: 'Edit' }).first().click()
  await page.getByLabel('Percentage fee in basis points', { exact: true }).fill('310')
  await page.getByLabel('Reason').fill('New contract')
  await page.getByRole('button', { name: 'Preview' }).click()
  await page
    .getByText(/costs 3\.10 instead of/)
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  const confirm = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await confirm.getByLabel('Password', { exact: true }).fill(password)
  await confirm.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('cell', { name: '3.1 % + 0.00' }).waitFor()
})

async function saveWithPreview(page: Page, shows: RegExp): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('New contract')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await dialog.getByText(shows).waitFor()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
}

test('terms of one method and a routing rule are added, changed and removed with a preview', async () => {
  const page = await browser.open(`/merchants/${browser.office.demo.merNo}`, admin)
  await page.getByRole('button', { name: 'Add a method' }).click()
  await page.getByLabel('Method', { exact: true }).selectOption('pix')
  await page.getByLabel('Percentage fee in basis points', { exact: true }).fill('90')
  await saveWithPreview(page, /^Pix, Percentage fee in basis points: – → 90$/)
  const terms = page.getByRole('table', { name: 'Fee plans' }).getByRole('row').filter({ hasText: 'pix' })
  await terms.getByRole('button', { name: 'Remove' }).click()
  await saveWithPreview(page, /^Pix, Percentage fee in basis points: 90 → –$/)
  await terms.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Add a rule' }).click()
  await page.getByLabel('Weight').fill('many')
  await page.getByLabel('Reason').fill('Second acquirer')
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByText('Enter a number of at least 1.').waitFor()
  await page.getByLabel('Weight').fill('3')
  await saveWithPreview(page, /^Routing rules: – → card \S+ 1 3$/)
  const route = page
    .getByRole('table', { name: 'Routing rules' })
    .getByRole('row')
    .filter({ hasText: 'card' })
  await checkLooks(page, 'office-merchant-rules')
  await route.getByRole('button', { name: 'Remove' }).click()
  await saveWithPreview(page, /^Routing rules: card \S+ 1 3 → –$/)
  await page.getByText('Every method uses all channels').waitFor()
  await page.getByRole('button', { name: 'Add a rule' }).click()
  await page.getByLabel('Method', { exact: true }).selectOption({ label: 'Payouts: Bank account' })
  await saveWithPreview(page, /^Routing rules: – → payout_bank payout-bank 1 1$/)
  await page.getByRole('table', { name: 'Routing rules' }).getByRole('button', { name: 'Remove' }).click()
  await saveWithPreview(page, /^Routing rules: payout_bank payout-bank 1 1 → –$/)
})

test('the second of two operators who edit a merchant is told, and nothing is overwritten', async () => {
  const { merNo } = browser.office.demo
  const page = await browser.open(`/merchants/${merNo}`, admin)
  await page.getByRole('button', { name: 'Edit' }).click()
  await admin.call('PUT /merchants/:merNo', {
    params: { merNo },
    body: { options: { timezone: 'Asia/Tokyo' }, reason: 'Moved' },
  })
  await page.getByLabel('Time zone').fill('Europe/Berlin')
  await page.getByLabel('Reason').fill('Moved')
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByText('Somebody changed this meanwhile').waitFor()
  assert.equal(await page.getByLabel('Time zone').inputValue(), 'Europe/Berlin')
  await page.getByRole('button', { name: 'Load the current version' }).click()
  await page.getByText('Asia/Tokyo').waitFor()
})

test('a merchant is made, and its key is shown once', async () => {
  const page = await browser.open('/merchants', admin)
  await page.getByRole('button', { name: 'New merchant' }).click()
  const dialog = page.getByRole('dialog', { name: 'New merchant' })
  await dialog.getByLabel('Name').fill('Lamp Shop')
  await dialog.getByLabel('Website').fill('lamps.example')
  await dialog.getByLabel('Reason').fill('Contract signed')
  await dialog.getByRole('button', { name: 'New merchant' }).click()
  await page.getByRole('dialog').getByText('"webhookSecret": "whsec_').waitFor()
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await page.getByRole('heading', { name: /^Lamp Shop/ }).waitFor()
  await page.getByText('Website: lamps.example').waitFor()
})

test('a merchant gets a logo and the addresses of its servers', async () => {
  const made = { name: 'Blue Shop', sites: ['blue.example'], reason: 'Contract signed' }
  const { merNo } = await admin.call('POST /merchants', { body: made })
  const page = await browser.open(`/merchants/${merNo}`, admin)
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('IP addresses or ranges').fill('203.0.113.7, 2001:db8::/32')
  const buffer = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
  await page.locator('input[type=file]').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer })
  await saveWithPreview(page, /^Logo of the payment pages: – → [0-9a-f]{16}$/)
  await page.getByText('203.0.113.7, 2001:db8::/32').waitFor()
})

test("an operator invites a merchant's first owner, and disables the account again", async () => {
  const made = { name: 'New Shop', sites: ['new.example'], reason: 'Contract signed' }
  const { merNo } = await admin.call('POST /merchants', { body: made })
  const page = await browser.open(`/merchants/${merNo}`, admin)
  await page.getByRole('link', { name: 'People' }).click()
  await page.getByText('Nobody yet').waitFor()
  await page.getByRole('button', { name: 'Invite the first owner' }).click()
  const invite = page.getByRole('dialog', { name: 'Invite the first owner' })
  await invite.getByLabel('E-mail address').fill('lena@lamps.example')
  await invite.getByLabel('Name').fill('Lena')
  await invite.getByRole('button', { name: 'Send the invitation' }).click()
  await page.getByRole('link', { name: 'Lena' }).waitFor()
  await checkLooks(page, 'office-merchant-people')
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.getByRole('link', { name: 'Lena' }).click()
  const panel = page.getByRole('dialog', { name: 'Member of the team' })
  await panel.getByText('Owner').waitFor()
  await panel.getByRole('button', { name: 'Send the invitation again' }).click()
  await panel.getByText('The invitation is sent').waitFor()
  assert.equal(await panel.getByLabel('Role').count(), 0, 'the company gives its roles itself')
  await panel.getByRole('button', { name: 'Disable' }).click()
  const confirm = page.getByRole('dialog', { name: 'Disable Lena?' })
  await confirm.getByLabel('Reason').fill('Wrong person.')
  await confirm.getByRole('button', { name: 'Disable' }).click()
  await panel.getByText('Disabled').waitFor()
})

test('the platform gets a limit, and the search is built anew', async () => {
  const page = await browser.open('/channels/limits', admin)
  await page.getByRole('button', { name: 'Set a limit' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('In a day').fill('5000000.00')
  await dialog.getByLabel('Reason').fill('Acquirer limit')
  await dialog.getByRole('button', { name: 'Set a limit' }).click()
  await page.getByRole('cell', { name: 'US$5,000,000.00' }).waitFor()
  await checkLooks(page, 'office-limits')
  const search = await browser.open('/operations/installation', admin)
  await search.getByRole('button', { name: 'Rebuild the search' }).click()
  await search.getByLabel('Reason').fill('After an import')
  await search.getByRole('dialog').getByRole('button', { name: 'Rebuild the search' }).click()
  await search.getByRole('dialog').waitFor({ state: 'detached' })
  const { rows } = await admin.call('GET /audit', { query: {} })
  assert.deepEqual(
    rows.slice(0, 2).map(({ action, reason }) => [action, reason]),
    [
      ['search.rebuild', 'After an import'],
      ['platform.limit', 'Acquirer limit'],
    ],
  )
})

test('a mail is sent to the operator, and the list shows it', async () => {
  const page = await browser.open('/operations/mail', admin)
  await page.getByText('Mails are kept at /sandbox/mail.').waitFor()
  await page.getByRole('button', { name: 'Send a mail to myself' }).click()
  await page.getByRole('cell', { name: admin.email }).first().waitFor()
  await checkLooks(page, 'office-mail')
})

test('a channel is paused with a reason, and resumed', async () => {
  const page = await browser.open('/channels', admin)
  const card = page.getByRole('row').filter({ hasText: 'card' }).first()
  await page.setViewportSize(PHONE)
  await card.scrollIntoViewIfNeeded()
  assert.ok(await isOnScreen(card.getByRole('button', { name: 'Pause' })), 'Pause stays on a phone')
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
  await page.getByText(/^Sound: \d+ order/).waitFor()
  await checkLooks(page, 'office-check')
  await page.getByRole('link', { name: 'Ledger' }).click()
  await page.getByRole('button', { name: 'Merchant: All merchants' }).waitFor()
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.getByRole('columnheader', { name: 'Merchant' }).waitFor()
  await page
    .getByRole('cell', { name: String(browser.office.demo.merNo) })
    .first()
    .waitFor()
  const ledger = await browser.open(`/books/entries?merNo=${browser.office.demo.merNo}`, admin)
  await ledger.getByRole('cell', { name: 'merchant:unsettled' }).waitFor()
  await checkLooks(ledger, 'office-ledger')
})

test('a check of books that are not sound says what it found', async () => {
  const add = (minor: number) =>
    browser.office.db.query({
      text: `update balance_sums set credits = credits + $1
        where mer_no = $2 and account = 'merchant:available' and currency = 'EUR'`,
      values: [minor, browser.office.demo.merNo],
    })
  await add(100)
  const page = await browser.open('/books/check', admin)
  await page.getByRole('button', { name: 'Check the books now' }).click()
  await page.getByText('Balances that are not the sum of their entries (1)').click()
  await page.getByText(/the balance is €10,001\.00, its entries add up to €10,000\.00/).waitFor()
  await add(-100)
})

test('one click shows the orders of all merchants that failed today, and one merchant is chosen', async () => {
  const { office } = browser
  const made = { name: 'Green Shop', sites: ['green.example'], reason: 'Contract signed' }
  const { merNo } = await admin.call('POST /merchants', { body: made })
  const foreign = aPayment({ merNo, createdAt: new Date() })
  await acceptPayments(office.db, [foreign])
  await recordOutcomes({ db: office.db, rates: noRates }, [aDecline(foreign)])
  const { data } = await pay(office.demo, { cardNo: '4000000000009995' })
  const declined = String(data.merOrderNo)
  const failed = async () => (await admin.call('GET /orders', { query: { state: '6', from: 'today' } })).rows
  assert.ok(await eventually(async () => (await failed()).length === 2))
  const page = await browser.open('/operations', admin)
  await page.getByRole('link', { name: 'Orders of all merchants that failed today' }).click()
  await page.getByText('2 orders').waitFor()
  await page.getByRole('row', { name: new RegExp(`${foreign.merOrderNo}.*${merNo}`) }).waitFor()
  await page.getByRole('row', { name: new RegExp(`${declined}.*${office.demo.merNo}`) }).waitFor()
  await checkLooks(page, 'office-failed-orders')
  await page.getByRole('button', { name: 'Merchant: All merchants' }).click()
  await page.getByRole('textbox', { name: 'Merchant' }).fill('green')
  await page.getByRole('radio', { name: `Green Shop (${merNo})` }).click()
  await page.getByRole('link', { name: declined }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: `Merchant: Green Shop (${merNo})` }).waitFor()
  await page.getByRole('link', { name: foreign.merOrderNo }).click()
  await page.getByRole('dialog').getByText('Order created').waitFor()
})

test('refunds and disputes of all merchants are listed with their merchant, and exported', async () => {
  const { office } = browser
  const order = await paidOrder(office.db, { merNo: office.demo.merNo })
  await accept(office.db, anApplication(order, { amount: 100n }))
  await dispute(office.db, await paidOrder(office.db, { merNo: office.demo.merNo }))
  for (const path of ['/merchant-refunds', '/queues/disputes']) {
    const page = await browser.open(path, admin)
    await page.getByRole('button', { name: 'Merchant: All merchants' }).waitFor()
    await page
      .getByRole('cell', { name: String(office.demo.merNo), exact: true })
      .first()
      .waitFor()
    await page.getByRole('button', { name: /^Export/ }).click()
    await page.getByRole('link', { name: /The export has begun/ }).click()
    await page.getByRole('button', { name: 'Download' }).first().waitFor()
  }
})

test('queues, rates and settlement are shown', async () => {
  for (const [path, name] of [
    ['/queues', 'Waiting'],
    ['/queues/deliveries', 'Deliveries'],
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
