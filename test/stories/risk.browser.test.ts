// How an operator stops payments, in a real browser: lists, a rule with its trial, and their hits.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { recordTrial } from '../../src/money/risk/change-rules.ts'
import type { Person } from '../harness/back-office.ts'
import { pay } from '../harness/client.ts'
import { eventually } from '../harness/eventually.ts'
import { type OfficeBrowser, openOfficeBrowser } from '../harness/office-browser.ts'
import { checkLooks } from '../harness/page-checks.ts'

let browser: OfficeBrowser
let risk: Person
before(async () => {
  browser = await openOfficeBrowser()
  risk = await browser.office.operator('risk')
  await pay(browser.office.demo, { sourceAmount: '900.00' })
  await pay(browser.office.demo, { sourceAmount: '20.00' })
})
after(() => browser.close())
afterEach(() => browser.assertQuiet())

test('a rule is written, tried on last month’s orders and switched on; its refusals are listed', async () => {
  const page = await browser.open('/risk/rules', risk)
  await page.getByRole('heading', { name: 'There are no rules yet' }).waitFor()
  await page.getByRole('button', { name: 'New rule' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Large from Peru')
  await page.getByLabel('Amount above, in US dollars').fill('much')
  await page.getByLabel('Countries of the payer').fill('PE')
  await page.getByLabel('Reason').fill('Many stolen cards')
  await page.getByRole('button', { name: 'Save as a draft' }).click()
  await page.getByText('Give an amount in US dollars, as in 250.00.').last().waitFor()
  await checkLooks(page, 'office-risk-rule-form')
  await page.getByLabel('Amount above, in US dollars').fill('500')
  await page.getByRole('button', { name: 'Save as a draft' }).click()
  await page.getByText('Not tried yet.').waitFor()
  assert.ok(await page.getByRole('button', { name: 'Switch on' }).isDisabled())
  await page.getByRole('button', { name: 'Try it now' }).click()
  await page.getByText('Concerns 1 of 2 orders, US$900.00').waitFor()
  await checkLooks(page, 'office-risk-rule')
  await page.getByRole('button', { name: 'Switch on' }).click()
  const dialog = page.getByRole('dialog', { name: 'Switch this rule on?' })
  await dialog.getByLabel('Reason').fill('Tried')
  await dialog.getByRole('button', { name: 'Switch on' }).click()
  await page.getByRole('button', { name: 'Switch off' }).waitFor()

  const isDeclined = async () =>
    (await pay(browser.office.demo, { sourceAmount: '700.00' })).data.payCode === 1
  assert.ok(await eventually(isDeclined))
  const hits = await browser.open('/risk', risk)
  await hits.getByRole('cell', { name: 'Large from Peru' }).first().waitFor()
  await checkLooks(hits, 'office-risk-hits')
  await hits.getByRole('cell', { name: 'Large from Peru' }).first().click()
  await hits.getByText('Refused by a risk rule: Large from Peru', { exact: true }).waitFor()
})

test('a trial that had too much to count says what it covers', async () => {
  const conditions = { velocity: { per: 'card', minutes: 43_200, mostPayments: 3 } } as const
  const body = { merNo: 0, name: 'Often', action: 'refuse', conditions, reason: 'Many tries' } as const
  const { ruleId } = await risk.call('POST /risk/rules', { body })
  const covers = { from: '2026-01-01T10:00:00.000Z', until: '2026-01-04T12:30:00.000Z' }
  const found = { days: 30, covers, orders: 70_000, hits: 0, usd: '0.00', outcomes: [], examples: [] }
  await recordTrial(browser.office.db, { ruleId, version: 1, found, at: new Date() })
  const page = await browser.open(`/risk/rules/${ruleId}`, risk)
  await page.getByText(/covers the orders from 1 Jan 2026, 10:00 to 4 Jan 2026, 12:30/).waitFor()
  await checkLooks(page, 'office-risk-trial-part')
})

test('an entry is added to a list, found and removed', async () => {
  const page = await browser.open('/risk/lists', risk)
  await page.getByRole('heading', { name: 'The lists are empty' }).waitFor()
  await page.getByRole('button', { name: 'Add to a list' }).click()
  await page.getByLabel('Kind').selectOption('E-mail')
  await page.getByRole('textbox', { name: 'Entry', exact: true }).fill('nobody')
  await page.getByLabel('Reason').fill('Stolen cards')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('Give an e-mail address, or a domain as in @example.com.').last().waitFor()
  await checkLooks(page, 'office-risk-add')
  await page.getByRole('textbox', { name: 'Entry', exact: true }).fill('@thieves.example')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('cell', { name: '@thieves.example', exact: true }).waitFor()
  await checkLooks(page, 'office-risk-lists')
  await page.getByRole('button', { name: 'Remove @thieves.example' }).click()
  await page.getByLabel('Reason').fill('A mistake')
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('heading', { name: 'The lists are empty' }).waitFor()
})
