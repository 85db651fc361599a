// The back office in a real browser: sign-in, the audit log as the pattern of all lists, keys, a lost session, looks.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { writeAudit } from '../../src/platform/audit-log/write-entry.ts'
import type { Person } from '../harness/back-office.ts'
import { type OfficeBrowser, openOfficeBrowser } from '../harness/office-browser.ts'
import { checkLooks } from '../harness/page-checks.ts'

let browser: OfficeBrowser
let owner: Person
before(async () => {
  browser = await openOfficeBrowser()
  owner = await browser.office.person(browser.office.demo.merNo, 'owner')
  for (const [at, action] of ['website.add', 'website.approve', 'key.rotate'].entries())
    await write(action, at)
})
after(() => browser.close())
afterEach(() => browser.assertQuiet())

function write(action: string, minute: number): Promise<void> {
  const { db, demo } = browser.office
  return db.transaction((tx) =>
    writeAudit(tx, {
      merNo: demo.merNo,
      at: new Date(Date.UTC(2026, 0, 31, 10, minute)),
      actor: { kind: 'user', name: 'ann@shop.example', address: '192.0.2.7' },
      action,
      subject: 'shop.example',
      before: { state: 'asked' },
      after: { state: 'approved' },
      reason: 'The documents are complete.',
    }),
  )
}

function demoUser(): { readonly email: string; readonly password: string } {
  return JSON.parse(readFileSync(`${browser.office.dataDir}/demo.json`, 'utf8')).merchantUser
}

function endSessions(email: string): Promise<unknown> {
  return browser.office.db.query({
    text: `update sessions set ended_at = now() where user_id in (select user_id from users where email = $1)`,
    values: [email],
  })
}

async function enterPassword(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('a person signs in, lands on the first page of the role, and signs out', async () => {
  const page = await browser.open('')
  const { email, password } = demoUser()
  await enterPassword(page, email, 'not the password')
  await page.getByRole('alert').getByText('Check your e-mail address and password.').waitFor()
  assert.equal(await page.getByLabel('E-mail address').inputValue(), email)
  await checkLooks(page, 'office-sign-in')
  await enterPassword(page, email, password)
  await page.getByRole('navigation', { name: 'Main navigation' }).waitFor()
  assert.match(new URL(page.url()).pathname, /^\/backoffice\/\w+/)
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
})

test('filters are in the address, a line opens beside the list, and closing it keeps the filters', async () => {
  const page = await browser.open('/settings/audit', owner)
  await page.getByRole('link', { name: '31 Jan 2026, 10:02:00' }).waitFor()
  await page.getByRole('button', { name: 'Action', exact: true }).click()
  await page.getByRole('textbox', { name: 'Action' }).fill('website.')
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.waitForURL(/action=website/)
  await page.getByText('key.rotate').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: '31 Jan 2026, 10:01:00' }).click()
  const panel = page.getByRole('dialog', { name: 'Line of the audit log' })
  await panel.getByText('"approved"').waitFor()
  assert.match(page.url(), /\/settings\/audit\/L\w+\?action=website/)
  await page.reload()
  await panel.getByText('192.0.2.7').waitFor()
  await checkLooks(page, 'office-audit-line')
  await panel.getByRole('button', { name: 'Close' }).click()
  await page.waitForURL(/\/settings\/audit\?action=website/)
})

test('the keys work: rows, search, shortcuts', async () => {
  const page = await browser.open('/settings/audit', owner)
  const first = page.getByRole('link', { name: '31 Jan 2026, 10:02:00' })
  await first.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByText('website.add').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Go to Settings').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('/')
  await page.getByRole('combobox').fill('audit')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'Audit log' }).waitFor()
})

test('a lost session asks for the password over the page, and the page goes on', async () => {
  const { email, password } = demoUser()
  const page = await browser.open('/settings/audit')
  await enterPassword(page, email, password)
  await page.getByRole('button', { name: 'Action', exact: true }).click()
  await page.getByRole('textbox', { name: 'Action' }).fill('key.')
  await endSessions(email)
  await page.getByRole('button', { name: 'Apply' }).click()
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
  assert.equal(await dialog.getByLabel('E-mail address').inputValue(), email)
  await checkLooks(page, 'office-lost-session')
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('key.rotate').waitFor()
  assert.match(page.url(), /action=key/)
})

test('a page without permission, an unknown one and one without lines say what to do', async () => {
  const viewer = await browser.office.person(browser.office.demo.merNo, 'viewer')
  const closed = await browser.open('/settings/audit', viewer)
  await closed.getByText('Your role does not include this').waitFor()
  const unknown = await browser.open('/nowhere', owner)
  await unknown.getByText('There is no such page').waitFor()
  const empty = await browser.open('/settings/audit?subject=nothing', owner)
  await empty.getByText('No line matches these filters').waitFor()
  await checkLooks(empty, 'office-audit-empty')
})

test('the list looks right in light and dark, on a desk and on a phone, in both languages', async () => {
  const page = await browser.open('/settings/audit', owner)
  await page.getByRole('link', { name: '31 Jan 2026, 10:02:00' }).waitFor()
  await checkLooks(page, 'office-audit')
  const chinese = await browser.open('/settings/audit', owner, { locale: 'zh-CN' })
  await chinese.getByRole('heading', { name: '审计日志' }).waitFor()
  await checkLooks(chinese, 'office-audit-chinese')
})

// This test is the last one, because its lines hide those of the other tests.
test('a next page that does not come says so beside its button, which tries again', async () => {
  for (let line = 0; line < 51; line++) await write('many.lines', line % 60)
  const page = await browser.open('/settings/audit?action=many.', owner)
  const answer = { status: 500, json: { problem: { code: 'failed', message: 'Broken.' } } }
  await page.route(/\/audit\?.*after=/, (route) => route.fulfill(answer), { times: 1 })
  const more = page.getByRole('button', { name: 'Show more' })
  await more.click()
  const problem = page.getByRole('alert').getByText(/^Something went wrong on our side/)
  await problem.waitFor()
  const rows = page.getByRole('table').locator('tbody tr')
  assert.equal(await rows.count(), 50, 'what was there stays')
  await more.click()
  await rows.nth(50).waitFor()
  await problem.waitFor({ state: 'detached' })
})
