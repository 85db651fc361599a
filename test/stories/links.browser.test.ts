// A payment link from the back office to the payer's phone and back, with its receipt, in real browsers.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Person } from '../harness/back-office.ts'
import { type OfficeBrowser, openOfficeBrowser } from '../harness/office-browser.ts'
import { checkLooks } from '../harness/page-checks.ts'
import { fillCard, PAID, screens } from '../harness/payer.ts'

let browser: OfficeBrowser
let owner: Person
before(async () => {
  browser = await openOfficeBrowser()
  owner = await browser.office.person(browser.office.demo.merNo, 'owner')
})
after(() => browser.close())
afterEach(() => browser.assertQuiet())

/** Checks the looks of the page, and widens the window again, because the checks leave it narrow. */
async function look(page: Page, name: string, { width, height } = { width: 1280, height: 900 }) {
  await checkLooks(page, name)
  await page.setViewportSize({ width, height })
}

async function openAsPayer(url: string, locale = 'en-GB'): Promise<Page> {
  const page = await browser.open('', undefined, { ...screens.phone, locale })
  await page.goto(url)
  return page
}

const { viewport: phone } = screens.phone

test('a link is made, mailed, paid on a phone, and its results and receipt show it', async () => {
  const page = await browser.open('/links', owner)
  await page.getByText('No payment link yet').waitFor()
  await look(page, 'office-links-empty')
  await page.getByRole('button', { name: 'New payment link' }).first().click()
  await page.getByLabel('Title').fill('Reading lamp, delivered')
  await page.getByRole('textbox', { name: 'Amount' }).fill('24.005')
  await page.getByLabel('Reference').fill('INV-7')
  await page.getByRole('button', { name: 'Make the link' }).click()
  await page.getByText('Enter an amount in USD, such as 12.00.').waitFor()
  assert.equal(await page.getByLabel('Reference').inputValue(), 'INV-7', 'what was typed stays')
  await look(page, 'office-link-form')
  await page.getByRole('textbox', { name: 'Amount' }).fill('24')
  await page.getByRole('button', { name: 'Make the link' }).click()
  await page.getByRole('heading', { name: 'Reading lamp, delivered' }).waitFor()
  const url = await page.getByRole('textbox', { name: 'Address', exact: true }).inputValue()
  assert.equal(
    await page.getByRole('textbox', { name: 'Button for a website' }).inputValue(),
    `<script src="${browser.office.baseUrl}/drop-in.js" async></script>\n<a data-tollgate href="${url}">Pay</a>`,
  )
  await page.getByLabel('E-mail address of the payer').fill('payer@example.com')
  await page.getByRole('button', { name: 'Send by mail' }).click()
  await page.getByText('The link is on its way to payer@example.com.').waitFor()
  // The picture is loaded only if the policy allows it.
  await page.waitForFunction("document.querySelector('.qr-code')?.naturalWidth > 0")
  await look(page, 'office-link')

  const payer = await openAsPayer(url)
  await look(payer, 'link', phone)
  await payer.getByRole('button', { name: 'Continue to payment' }).click()
  await fillCard(payer, '4242424242424242')
  await payer.getByLabel('First name').fill('Ada')
  await payer.getByLabel('Last name').fill('Payer')
  await payer.getByLabel('Email').fill('payer@example.com')
  await payer.getByLabel('Country').selectOption('DE')
  await payer.getByLabel('Postal code').fill('10115')
  await payer.getByRole('button', { name: /^Pay / }).first().click()
  await payer.getByRole('heading', { name: PAID }).waitFor()
  await look(payer, 'link-paid', phone)
  await payer.getByRole('link', { name: 'Receipt' }).click()
  await payer.getByText('•••• 4242').waitFor()
  await look(payer, 'receipt', phone)
  await payer.emulateMedia({ media: 'print' })
  assert.ok(!(await payer.getByRole('button', { name: 'Print' }).isVisible()), 'paper needs no buttons')

  await page.reload()
  const row = page.getByRole('row').filter({ hasText: 'PL-' })
  await row.getByText('Succeeded').waitFor()
  await look(page, 'office-link-paid')
  await row.getByRole('link').click()
  await page.getByRole('link', { name: 'Receipt' }).and(page.locator('[href]')).waitFor()
  await look(page, 'office-order-receipt')
  await page.getByRole('link', { name: 'Payment links' }).click()
  await page.getByRole('row').filter({ hasText: 'Reading lamp' }).getByText('Paid').waitFor()
  await look(page, 'office-links')

  const { merNo } = browser.office.demo
  const operator = await browser.open(`/merchants/${merNo}`, await browser.office.operator('viewer'))
  await operator.getByRole('link', { name: 'Payment links' }).click()
  await operator.getByRole('link', { name: 'Reading lamp, delivered' }).click()
  await operator.getByRole('heading', { name: 'Orders of this link' }).waitFor()
  assert.equal(await operator.getByRole('button', { name: 'Send by mail' }).count(), 0, 'operators only read')

  const late = await openAsPayer(url)
  await late.getByRole('heading', { name: 'This payment link was already paid' }).waitFor()
  await look(late, 'link-used', phone)
})

test('a payer enters the amount, is told of a wrong one, and starts again after cancelling', async () => {
  const body = {
    title: 'تبرع',
    currency: 'USD',
    least: '5',
    most: '500',
    uses: 'many',
    language: '',
    reference: '',
    notifyUrl: '',
  } as const
  const { url, linkId } = await owner.call('POST /links', { body })
  const payer = await openAsPayer(url)
  await payer.getByLabel('Amount to pay (USD)').fill('4')
  await payer.getByRole('button', { name: 'Continue to payment' }).click()
  await payer.getByText('Check this: it does not look right').waitFor()
  await look(payer, 'link-amount', phone)
  await payer.getByLabel('Amount to pay (USD)').fill('7,50')
  await payer.getByRole('button', { name: 'Continue to payment' }).click()
  await payer.getByRole('button', { name: 'Cancel this payment' }).click()
  await look(payer, 'link-cancelled', phone)
  await payer.getByRole('link', { name: 'Start again' }).click()
  await payer.getByLabel('Amount to pay (USD)').waitFor()
  const arabic = await openAsPayer(url, 'ar')
  await look(arabic, 'link-arabic', phone)
  const page = await browser.open(`/links/${linkId}`, owner)
  await page.getByRole('button', { name: 'Switch off' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click()
  await page.getByRole('button', { name: 'Switch on again' }).waitFor()
  await payer.reload()
  await payer.getByRole('heading', { name: 'This payment link is no longer active' }).waitFor()
  await look(payer, 'link-off', phone)
})
