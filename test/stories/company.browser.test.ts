// A company keeps its own things up to date, in a real browser: its details, its beneficiaries, its exports.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Person } from '../harness/back-office.ts'
import { pay, query } from '../harness/client.ts'
import { comeBack, type OfficeBrowser, openOfficeBrowser } from '../harness/office-browser.ts'
import { checkLooks } from '../harness/page-checks.ts'

const API_CALLS = '**/backoffice/api/**'
let browser: OfficeBrowser
let owner: Person
before(async () => {
  browser = await openOfficeBrowser()
  owner = await browser.office.person(browser.office.demo.merNo, 'owner')
})
after(() => browser.close())
afterEach(() => browser.assertQuiet())

test('the owner changes what the company says about itself, and an operator reads it', async () => {
  const page = await browser.open('/settings/company', owner)
  await page.getByLabel('Contact', { exact: true }).fill('Front Desk')
  await page.getByLabel('E-mail address of the contact').fill('desk')
  await page.getByLabel('Website of the company').fill('https://demo.example/about')
  await page.getByLabel('Country').selectOption('PT')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Enter an e-mail address such as').waitFor()
  await checkLooks(page, 'office-company-details')
  await page.getByLabel('E-mail address of the contact').fill('desk@demo.example')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  const { merNo } = browser.office.demo
  const seen = await browser.open(`/merchants/${merNo}`, await browser.office.operator())
  await seen.getByText('desk@demo.example').waitFor()
  await seen.getByText('Portugal').waitFor()
})

test('the owner chooses the colour and the logo of the payment pages, and sees them before payers do', async () => {
  const page = await browser.open('/settings/company', owner)
  const button = page.locator('.pay-button').first()
  await button.waitFor()
  const style = async () => (await button.getAttribute('style')) ?? ''
  await page.getByLabel('Colour', { exact: true }).fill('#fde047')
  await page.getByText('The text of the button is black').waitFor()
  assert.match(await style(), /background: rgb\(253, 224, 71\); color: rgb\(0, 0, 0\)/)
  const bytes =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const buffer = Buffer.from(bytes, 'base64')
  await page.locator('input[type=file]').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer })
  await page.locator('.pay-bar img').first().waitFor()
  await checkLooks(page, 'office-company-look')
  await page.getByRole('button', { name: 'Change the payment pages' }).click()
  await page.getByText('Payers see the new logo and colour from now on.').waitFor()
  await page.getByLabel('Colour', { exact: true }).fill('')
  await page.getByLabel('Remove the logo').check()
  await page.getByText('The text of the button is').waitFor({ state: 'detached' })
  await page.locator('.pay-bar img').first().waitFor({ state: 'detached' })
  const lamp = { title: 'Reading lamp', currency: 'USD', amount: '24.00', uses: 'many' } as const
  const { url } = await owner.call('POST /links', {
    body: { ...lamp, language: '', reference: '', notifyUrl: '' },
  })
  await page.goto(url)
  await page.locator('img.logo').waitFor()
})

test('what was typed survives a lost session, on a page and in a dialog', async () => {
  const { office } = browser
  const password = 'nine lamps under water'
  const person = await office.person(office.demo.merNo, 'owner', password)
  const kinds: readonly (readonly [path: string, type: (page: Page) => Promise<void>, done: string])[] = [
    ['/settings/company', (page) => page.getByLabel('Contact', { exact: true }).fill('Night Desk'), 'Saved.'],
    ['/orders?state=5', typeViewName, 'Paid ones'],
  ]
  const page = await browser.open('', person)
  for (const [path, type, done] of kinds) {
    await page.goto(`${office.baseUrl}/backoffice${path}`)
    await type(page)
    const save = page.getByRole('button', { name: 'Save', exact: true })
    // The session is lost twice: when the page reads again for a person who came back, and when the page saves.
    for (const [kind, act] of [
      ['read', () => comeBack(page)],
      ['change', () => save.click()],
    ] as const) {
      await loseSessionAtNext(kind, page, person.email)
      await act()
      const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
      await dialog.getByLabel('Password', { exact: true }).fill(password)
      await dialog.getByRole('button', { name: 'Sign in' }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    await page.getByText(done).first().waitFor()
  }
  const { contact } = (await (await office.person(office.demo.merNo, 'owner')).call('GET /company', {}))
    .details
  assert.equal(contact, 'Night Desk')
})

/**
 * Ends the person's sessions when the page sends its next call of this kind. A session that ended earlier could be
 * noticed by another read, whose dialog would then cover the button that the test is about to click.
 */
async function loseSessionAtNext(kind: 'read' | 'change', page: Page, email: string): Promise<void> {
  let isLost = false
  await page.unroute(API_CALLS)
  await page.route(API_CALLS, async (route) => {
    if (!isLost && (route.request().method() === 'GET') === (kind === 'read')) {
      isLost = true
      await browser.office.db.query({
        text: `update sessions set ended_at = now()
          where ended_at is null and user_id in (select user_id from users where email = $1)`,
        values: [email],
      })
    }
    await route.continue()
  })
}

async function typeViewName(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Save this view' }).click()
  await page.getByLabel('Name').fill('Paid ones')
}

test('the second of two people who edit the company is told, and nothing is overwritten', async () => {
  const page = await browser.open('/settings/company', owner)
  await page.getByLabel('Contact', { exact: true }).fill('Second Desk')
  const { details } = await owner.call('GET /company', {})
  await owner.call('PUT /company/details', { body: { ...details, contact: 'First Desk' } })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Somebody changed this meanwhile').waitFor()
  assert.equal(await page.getByLabel('Contact', { exact: true }).inputValue(), 'Second Desk')
  await page.getByRole('button', { name: 'Load the current version' }).click()
  await page.getByText('Somebody changed this meanwhile').waitFor({ state: 'detached' })
  assert.equal(await page.getByLabel('Contact', { exact: true }).inputValue(), 'First Desk')
})

test('the page of an order leads to the calls about it', async () => {
  const { data } = await pay(browser.office.demo)
  await query(browser.office.demo, data.merOrderNo)
  const page = await browser.open(`/order/${data.tradeNo}`, owner)
  const call = page.getByRole('link', { name: 'Call to /order/query' })
  // The request log is written a moment later.
  for (let tries = 0; tries < 20 && (await call.count()) === 0; tries++) {
    await page.waitForTimeout(500)
    await page.reload()
    await page.getByText('Order created').waitFor()
  }
  await checkLooks(page, 'office-order-calls')
  await call.click()
  await page.getByRole('dialog').getByText('/order/query').first().waitFor()
})

test('a beneficiary is changed, and keeps its account', async () => {
  const address = { addressLine: '1 Market Street', city: 'Berlin', countryCode: 'DE' }
  const names = { benFirstName: 'Paper', benLastName: 'Mill', beneficiaryType: 'business' }
  const fields = { ...names, ...address, cardNo: 'DE89370400440532013000' }
  const body = { label: 'Paper mill', kind: 'bank_account', currency: 'USD', fields } as const
  await owner.call('POST /beneficiaries', { body })
  const page = await browser.open('/payouts/beneficiaries', owner)
  await page.getByRole('button', { name: 'Change' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Leave it empty to keep …3000.').waitFor()
  await checkLooks(page, 'office-beneficiary')
  await dialog.getByLabel('Name in the list').fill('Paper mill, Berlin')
  await dialog.getByRole('button', { name: 'Save the beneficiary' }).click()
  await page.getByRole('cell', { name: 'Paper mill, Berlin' }).waitFor()
  await page.getByRole('cell', { name: '…3000' }).waitFor()
})

test('refunds are exported, and disputes by a schedule', async () => {
  const page = await browser.open('/exports', owner)
  await page.getByRole('button', { name: 'New export' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('List').selectOption('refunds')
  await dialog.getByLabel('State').selectOption('succeeded')
  await dialog.getByLabel('From day').fill('2026-01-01')
  await checkLooks(page, 'office-new-export')
  // A phone does not show the filters.
  await page.setViewportSize({ width: 1280, height: 900 })
  await dialog.getByRole('button', { name: 'Start the export' }).click()
  await page.getByRole('cell', { name: 'State: Refunded, From day: 1 Jan 2026' }).waitFor()
  await page.getByRole('button', { name: 'Download' }).waitFor()
  await page.getByRole('button', { name: 'Schedule an export' }).click()
  await dialog.getByLabel('Name').fill('Open disputes')
  await dialog.getByLabel('List').selectOption('disputes')
  await dialog.getByLabel('State').selectOption('open')
  await dialog.getByRole('button', { name: 'Schedule', exact: true }).click()
  await page.getByText('Disputes, State: Open').waitFor()
  await checkLooks(page, 'office-exports-scheduled')
})

test('the search finds a colleague', async () => {
  const page = await browser.open('/overview', owner)
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('combobox', { name: 'Search' }).fill(owner.email)
  await page.getByRole('option', { name: owner.email }).click()
  await page.getByRole('dialog').getByText(owner.email).first().waitFor()
})

test('the search finds a beneficiary and a payment link by name, and their pages show them', async () => {
  const address = { addressLine: '1 Market Street', city: 'Berlin', countryCode: 'DE' }
  const payee = { ...address, benFirstName: 'Paper', benLastName: 'Mill', beneficiaryType: 'business' }
  for (const [label, cardNo] of [
    ['Green grocer', '000123456789'],
    ['Tall tailor', '000123456790'],
  ] as const) {
    const fields = { ...payee, bankCode: 'CHASUS33', cardNo }
    await owner.call('POST /beneficiaries', {
      body: { label, kind: 'bank_account', currency: 'USD', fields },
    })
  }
  const content = { currency: 'EUR', amount: '24.00', uses: 'one', language: '', notifyUrl: '' } as const
  await owner.call('POST /links', { body: { ...content, title: 'Blue lamp', reference: '' } })
  const page = await browser.open('/overview', owner)
  const search = async (text: string, name: string) => {
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByRole('combobox', { name: 'Search' }).fill(text)
    await page.getByRole('option', { name }).click()
  }
  await search('tailor', 'Tall tailor')
  await page.getByRole('heading', { name: 'Beneficiaries' }).waitFor()
  await page.getByRole('row').filter({ hasText: 'Tall tailor' }).waitFor()
  assert.equal(await page.getByRole('row').filter({ hasText: 'Green grocer' }).count(), 0)
  await search('blue l', 'Blue lamp')
  await page.getByRole('heading', { name: 'Blue lamp' }).waitFor()
})
