// Two people edit one thing in a real browser. Whatever the page reads meanwhile, the text that the second person typed
// stays, the page tells that person about the change, and nothing is overwritten. A refusal by a use case is shown at
// its field, and the form keeps the typed text.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { recordTrial } from '../../src/money/risk/change-rules.ts'
import { paidOrder } from '../builders/paid-orders.ts'
import type { Person } from '../harness/back-office.ts'
import { type OfficeBrowser, openOfficeBrowser, readAgain } from '../harness/office-browser.ts'
import { checkLooks } from '../harness/page-checks.ts'

let browser: OfficeBrowser
let admin: Person
let owner: Person
let colleague: Person
before(async () => {
  browser = await openOfficeBrowser()
  const { office } = browser
  admin = await office.operator()
  owner = await office.person(office.demo.merNo, 'owner')
  colleague = await office.person(office.demo.merNo, 'support')
})
after(() => browser.close())
afterEach(() => browser.assertQuiet())

const reason = 'Price list'
const told = (page: Page) => page.getByText('Somebody changed this meanwhile')

type FormCase = {
  readonly path: string
  readonly route: string
  readonly field: (page: Page) => Locator
  readonly button: (page: Page) => Locator
  readonly typed: string
  readonly theirs: string
  readonly save: (value: string) => Promise<unknown>
  readonly stored: () => Promise<string | undefined>
}

async function fill(field: Locator, value: string): Promise<void> {
  const isSelect = (await field.getAttribute('class'))?.includes('NativeSelect') === true
  await (isSelect ? field.selectOption(value) : field.fill(value))
}

async function walkForm({
  path,
  route,
  field,
  button,
  typed,
  theirs,
  save,
  stored,
}: FormCase): Promise<void> {
  const page = await browser.open(path, owner)
  await field(page).waitFor()
  await fill(field(page), typed)
  await save(theirs)
  await readAgain(page, route)
  assert.equal(await field(page).inputValue(), typed, 'what was typed survives the read')
  await button(page).click()
  await told(page).waitFor()
  assert.equal(await field(page).inputValue(), typed, 'and the refusal')
  assert.equal(await stored(), theirs, 'nothing was overwritten')
  await page.getByRole('button', { name: 'Load the current version' }).click()
  await told(page).waitFor({ state: 'detached' })
  assert.equal(await field(page).inputValue(), theirs)
  await fill(field(page), typed)
  const isSaved = page.waitForResponse((response) => response.request().method() === 'PUT')
  await button(page).click()
  assert.equal((await isSaved).status(), 200)
  assert.equal(await stored(), typed)
  await page.context().close()
}

const section = (page: Page, name: string) => page.getByRole('region', { name })

test('the details of a company', async () => {
  const details = async () => (await owner.call('GET /company', {})).details
  const complete = { email: 'desk@demo.example', website: 'demo.example', country: 'PT' }
  const save = async (contact: string) => {
    const { version } = await details()
    await owner.call('PUT /company/details', { body: { ...complete, contact, version } })
  }
  await save('Front Desk')
  await walkForm({
    path: '/settings/company',
    route: '/company',
    field: (page) => page.getByLabel('Contact', { exact: true }),
    button: (page) => page.getByRole('button', { name: 'Save', exact: true }),
    typed: 'Second Desk',
    theirs: 'First Desk',
    save,
    stored: async () => (await details()).contact,
  })
})

test('the amount above which payouts need a second person', async () => {
  const settings = () => owner.call('GET /payouts/settings', {})
  await walkForm({
    path: '/payouts/approvals',
    route: '/payouts/settings',
    field: (page) => page.getByLabel('Second person above (USD)'),
    button: (page) => page.getByRole('button', { name: 'Save the amount' }),
    typed: '700.00',
    theirs: '500.00',
    save: async (secondPersonAbove) => {
      const { version } = await settings()
      await owner.call('PUT /payouts/settings', {
        body: { secondPersonAbove, includesInterface: false, version },
      })
    },
    stored: async () => (await settings()).secondPersonAbove,
  })
})

test('the rules for requests', async () => {
  const signing = async () => (await owner.call('GET /developers', { query: {} })).signing
  await walkForm({
    path: '/developers/keys',
    route: '/developers',
    field: (page) => page.getByLabel('Your addresses'),
    button: (page) => section(page, 'Rules for requests').getByRole('button', { name: 'Save' }),
    typed: '203.0.113.7',
    theirs: '198.51.100.4',
    save: async (address) =>
      owner.call('PUT /developers/signing', { body: { ...(await signing()), ips: [address] } }),
    stored: async () => (await signing()).ips.join(),
  })
})

test('the settings of notifications', async () => {
  const notifying = async () => (await owner.call('GET /developers', { query: {} })).notifying
  await walkForm({
    path: '/developers/keys',
    route: '/developers',
    field: (page) => page.getByLabel('Address for chargebacks'),
    button: (page) => section(page, 'Notification settings').getByRole('button', { name: 'Save' }),
    typed: 'https://shop.example/second',
    theirs: 'https://shop.example/first',
    save: async (chargebackUrl) =>
      owner.call('PUT /developers/notifications', {
        query: {},
        body: { ...(await notifying()), chargebackUrl },
      }),
    stored: async () => (await notifying()).chargebackUrl,
  })
})

test('the role of a colleague', async () => {
  const person = async () => {
    const { rows } = await owner.call('GET /users', { query: {} })
    return rows.find(({ email }) => email === colleague.email) ?? assert.fail('nobody')
  }
  const { userId } = await person()
  await walkForm({
    path: `/settings/team/${userId}`,
    route: '/users',
    field: (page) => page.getByRole('dialog').getByLabel('Role'),
    button: (page) => page.getByRole('button', { name: 'Change the role' }),
    typed: 'finance',
    theirs: 'developer',
    save: async (role) =>
      owner.call('PUT /users/:userId', {
        params: { userId },
        query: {},
        body: { role, version: (await person()).version },
      }),
    stored: async () => (await person()).role,
  })
})

test('one form of a page is saved, and what was typed into the other stays and is saved after it', async () => {
  const page = await browser.open('/developers/keys', owner)
  await page.getByLabel('Your addresses').fill('192.0.2.9')
  await page.getByLabel('Address for chargebacks').fill('https://shop.example/third')
  for (const name of ['Notification settings', 'Rules for requests']) {
    const isSaved = page.waitForResponse((response) => response.request().method() === 'PUT')
    await section(page, name).getByRole('button', { name: 'Save' }).click()
    assert.equal((await isSaved).status(), 200)
  }
  const { signing, notifying } = await owner.call('GET /developers', { query: {} })
  assert.deepEqual(
    { ips: signing.ips, chargebackUrl: notifying.chargebackUrl },
    { ips: ['192.0.2.9'], chargebackUrl: 'https://shop.example/third' },
  )
})

type DialogCase = {
  readonly path: string
  readonly route: string
  readonly open: (page: Page) => Promise<void>
  readonly label: string
  readonly typed: string
  readonly button: string
  readonly save: () => Promise<unknown>
  /** The value that the other person has saved, as the page shows it. */
  readonly theirs: string
}

async function walkDialog({
  path,
  route,
  open,
  label,
  typed,
  button,
  save,
  theirs,
}: DialogCase): Promise<void> {
  const page = await browser.open(path, admin)
  await open(page)
  const dialog = page.getByRole('dialog').last()
  await dialog.getByLabel(label).fill(typed)
  await dialog.getByLabel('Reason').fill(reason)
  await save()
  await readAgain(page, route)
  await dialog.getByRole('button', { name: button, exact: true }).click()
  await told(page).waitFor()
  assert.equal(await dialog.getByLabel(label).inputValue(), typed)
  assert.equal(await dialog.getByLabel('Reason').inputValue(), reason)
  await page.getByRole('button', { name: 'Load the current version' }).click()
  await told(page).waitFor({ state: 'detached' })
  await page.getByText(theirs).first().waitFor()
  await page.context().close()
}

test('dialogs keep the version that they were opened with', async () => {
  const { merNo } = browser.office.demo
  const plan = { plan: 'Standard', method: 'all' }
  const setPlan = (feeBps: string) =>
    admin.call('PUT /fee-plans/:plan/:method', { params: plan, body: { terms: { feeBps }, reason } })
  const setLimit = (daily: string) =>
    admin.call('PUT /platform/limits/:method', { params: { method: 'pix' }, body: { daily, reason } })
  await setPlan('250')
  await setLimit('50000.00')
  const content = { name: 'Large', action: 'refuse', conditions: { above: '900.00' } } as const
  const { ruleId } = await admin.call('POST /risk/rules', { body: { merNo: 0, ...content, reason } })
  const { tradeNo } = await paidOrder(browser.office.db, { merNo })
  await admin.call('POST /disputes', { body: { tradeNo, reasonCode: '4853', reason } })
  const { dispute } = await admin.call('GET /disputes/:tradeNo', { params: { tradeNo } })
  const click = (name: string) => (page: Page) =>
    page.getByRole('button', { name, exact: true }).first().click()
  const cases: readonly DialogCase[] = [
    {
      path: `/merchants/${merNo}`,
      route: `/merchants/${merNo}`,
      open: click('Edit'),
      label: 'Time zone',
      typed: 'Europe/Berlin',
      button: 'Preview',
      save: () =>
        admin.call('PUT /merchants/:merNo', {
          params: { merNo },
          body: { options: { timezone: 'Asia/Tokyo' }, reason },
        }),
      theirs: 'Asia/Tokyo',
    },
    {
      path: '/fee-plans',
      route: '/fee-plans',
      open: click('Edit'),
      label: 'Percentage fee in basis points',
      typed: '400',
      button: 'Preview',
      save: () => setPlan('350'),
      theirs: '3.5 %',
    },
    {
      path: '/channels/limits',
      route: '/platform/limits',
      open: click('Edit'),
      label: 'In a day',
      typed: '70000.00',
      button: 'Set a limit',
      save: () => setLimit('60000.00'),
      theirs: 'US$60,000.00',
    },
    {
      path: `/risk/rules/${ruleId}`,
      route: `/risk/rules/${ruleId}`,
      open: click('Edit'),
      label: 'Amount above, in US dollars',
      typed: '700.00',
      button: 'Save as a draft',
      save: () =>
        admin.call('PUT /risk/rules/:ruleId', {
          params: { ruleId },
          body: { ...content, conditions: { above: '800.00' }, version: 1, reason },
        }),
      theirs: 'Amount above 800.00 USD',
    },
    {
      path: `/queues/disputes/${tradeNo}`,
      route: `/disputes/${tradeNo}`,
      open: click('Change the deadline'),
      label: 'Answer by',
      typed: '2031-01-31',
      button: 'Change the deadline',
      save: () =>
        admin.call('POST /disputes/:tradeNo/deadline', {
          params: { tradeNo },
          body: { answerBy: '2030-12-24T23:59:59.000Z', seen: dispute.answerBy ?? null, reason },
        }),
      theirs: '24 Dec 2030, 23:59',
    },
  ]
  for (const one of cases) await walkDialog(one)
})

test('a rule that a colleague has switched on does not go back to watching', async () => {
  const content = { name: 'Switched', action: 'refuse', conditions: { above: '900.00' } } as const
  const { ruleId } = await admin.call('POST /risk/rules', { body: { merNo: 0, ...content, reason } })
  const found = { days: 30, orders: 0, hits: 0, usd: '0.00', outcomes: [], examples: [] }
  await recordTrial(browser.office.db, { ruleId, version: 1, found, at: new Date() })
  const page = await browser.open(`/risk/rules/${ruleId}`, admin)
  await page.getByRole('button', { name: 'Let it watch' }).click()
  const dialog = page.getByRole('dialog').last()
  await dialog.getByLabel('Reason').fill(reason)
  const [params, body] = [{ ruleId }, { version: 1, seen: 'draft', state: 'on', reason } as const]
  await admin.call('POST /risk/rules/:ruleId/state', { params, body })
  await page.getByRole('button', { name: 'Switch off', includeHidden: true }).waitFor({ state: 'attached' })
  await dialog.getByRole('button', { name: 'Let it watch' }).click()
  await told(page).waitFor()
  assert.equal(await dialog.getByLabel('Reason').inputValue(), reason)
  assert.equal((await admin.call('GET /risk/rules/:ruleId', { params })).rule.state, 'on')
})

test('a refusal stands at the field that it is about, and the form stays as typed', async () => {
  const page = await browser.open('/channels/rates', admin)
  await page.getByRole('button', { name: 'Set a rate' }).click()
  const dialog = page.getByRole('dialog')
  const typed = { From: 'USD', To: 'QQQ', Rate: 'much', Reason: reason }
  const field = (name: string) => dialog.getByRole('textbox', { name, exact: true })
  for (const [label, value] of Object.entries(typed)) await field(label).fill(value)
  const isWrong = async (label: string, text: string) => {
    await dialog.getByRole('textbox', { name: label, description: text }).waitFor()
    for (const [name, value] of Object.entries(typed)) assert.equal(await field(name).inputValue(), value)
  }
  await dialog.getByRole('button', { name: 'Set a rate' }).click()
  await isWrong('To', 'QQQ is not a currency.')
  typed.To = 'EUR'
  await field('To').fill(typed.To)
  await dialog.getByRole('button', { name: 'Set a rate' }).click()
  await isWrong('Rate', 'Much is not a rate: use a decimal above zero')
})

test('a merchant that there is not, and a period that ends before it begins, are refused at their fields', async () => {
  const page = await browser.open('/merchant-statement', admin)
  const number = page.getByLabel('Merchant number')
  const isRefused = (text: string) =>
    page.getByRole('textbox', { name: 'Merchant number', description: text }).waitFor()
  const refused = [
    ['', 'Enter a value.'],
    ['a shop', 'Enter a whole number.'],
    ['999999', 'There is no such merchant.'],
  ] as const
  for (const [typed, text] of refused) {
    await number.fill(typed)
    await page.getByRole('button', { name: 'Show' }).click()
    await isRefused(text)
    assert.equal(await number.inputValue(), typed)
  }
  await checkLooks(page, 'office-choose-merchant')
  await number.fill(String(browser.office.demo.merNo))
  await page.getByRole('button', { name: 'Show' }).click()
  const end = page.getByLabel('To', { exact: true })
  await end.fill('2001-01-31')
  await page.getByText('Choose a later day.').waitFor()
  await checkLooks(page, 'office-statement-period')
  assert.match(await end.getAttribute('aria-describedby').then(String), /error/)
  assert.equal(await page.getByText('This could not be loaded').count(), 0, 'it is said once')
  await page.getByRole('button', { name: 'This month' }).click()
  await page.getByText('Choose a later day.').waitFor({ state: 'detached' })
  await page.getByRole('table').first().waitFor()
})
