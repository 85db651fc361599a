// The home page of a sandbox in a real browser: its looks, and a first payment by one click.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { checkLooks } from '../harness/page-checks.ts'
import { type Environment, openEnvironment, type Payer } from '../harness/payer.ts'

let env: Environment
let visitor: Payer
before(async () => {
  env = await openEnvironment()
  visitor = await env.openBrowser()
})
after(() => env.close())

it('shows what runs here, and leads to the back office', async () => {
  const { page } = visitor
  await page.goto(env.account.baseUrl)
  assert.ok(await page.getByText(String(env.account.merNo)).isVisible())
  await checkLooks(page, 'home')
  for (const path of ['backoffice', 'openapi.json', 'sandbox/mail'])
    assert.equal(await page.locator(`a[href="${path}"]`).count(), 1, path)
})

it('pays by card with one click, and shows how', async () => {
  const { page } = visitor
  await page.goto(env.account.baseUrl)
  await page.getByRole('button', { name: 'by card' }).click()
  await page.getByRole('heading', { name: 'Your first payment' }).waitFor()
  assert.match(await page.locator('main').innerText(), /"payCode": 0/)
  await checkLooks(page, 'first-payment')
})

it('shows reference data', async () => {
  const { page } = visitor
  await page.goto(env.account.baseUrl)
  await page.getByRole('link', { name: '/reference' }).click()
  await page.getByRole('link', { name: 'Methods' }).click()
  await page.getByRole('cell', { name: 'PIX, 7' }).waitFor()
  await checkLooks(page, 'reference')
})

it('opens a checkout page with one click', async () => {
  const { page } = visitor
  await page.goto(env.account.baseUrl)
  await page.getByRole('button', { name: 'checkout' }).click()
  await page.waitForURL(/\/pay\//)
  await page.getByText('10.00').first().waitFor()
  await visitor.leave()
})
