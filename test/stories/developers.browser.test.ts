// The developers' pages in a real browser: a refused request, its signature explained, run again, notifications, keys.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, afterEach, before, test } from 'node:test'
import type { Person } from '../harness/back-office.ts'
import { call, cardBody, newNumber, pay, signed } from '../harness/client.ts'
import { eventually } from '../harness/eventually.ts'
import { type OfficeBrowser, openOfficeBrowser } from '../harness/office-browser.ts'
import { checkLooks } from '../harness/page-checks.ts'

let browser: OfficeBrowser
let owner: Person
let shop: Server
let answer = 'no'

before(async () => {
  shop = createServer((request, response) => {
    request.resume().on('end', () => response.end(answer))
  }).listen(0, '127.0.0.1')
  await once(shop, 'listening')
  browser = await openOfficeBrowser({ TOLLGATE_MINUTE_MS: '5', TOLLGATE_OTHER_URL: 'https://live.example' })
  owner = await browser.office.person(browser.office.demo.merNo, 'owner')
})
after(async () => {
  await browser.close()
  shop.close()
})
afterEach(() => browser.assertQuiet())

function logged(merOrderNo: string): Promise<boolean> {
  return eventually(
    async () => (await owner.call('GET /requests', { query: { merOrderNo } })).rows.length > 0,
  )
}

test('a wrong signature is found in the log, and its mistake is named', async () => {
  const { demo } = browser.office
  const merOrderNo = newNumber()
  await pay(demo, { merOrderNo: newNumber() })
  await pay(demo, { billingCity: '' })
  const body = signed(demo, '/payment', cardBody(demo, { merOrderNo }))
  await call(demo, '/payment', { ...body, sign: String(body.sign).toLowerCase() })
  assert.ok(await logged(merOrderNo))
  const page = await browser.open('/developers/requests', owner)
  await page.getByText('Refused 10015').waitFor()
  await checkLooks(page, 'office-requests')
  await page.getByRole('row', { name: /Refused 10015/ }).click()
  const panel = page.getByRole('dialog', { name: 'Request' })
  await panel.getByText('billingCity').first().waitFor()
  assert.doesNotMatch((await panel.textContent()) ?? '', /4242424242424242/)
  await panel.getByText("await tollgate.pay('card', {").waitFor()
  await checkLooks(page, 'office-request')
  await panel.getByRole('link', { name: 'Find the mistake in the signature' }).click()
  await page.getByText('The signature is in lower case.').waitFor()
  await checkLooks(page, 'office-signature')
})

test('every refused request leads to the debugger, also one with a right signature', async () => {
  const { demo } = browser.office
  const merOrderNo = newNumber()
  const body = signed(demo, '/payment', cardBody(demo, { merOrderNo, billingCity: '' }))
  await call(demo, '/payment', body)
  assert.ok(await logged(merOrderNo))
  const page = await browser.open(`/developers/requests?merOrderNo=${merOrderNo}`, owner)
  await page.getByRole('row', { name: /Refused/ }).click()
  await page.getByRole('link', { name: 'Check its signature' }).click()
  await page.getByText('There is no signature to check').waitFor()
  await page.getByLabel('Signature', { exact: true }).fill(String(body.sign))
  await page.getByRole('button', { name: 'Explain' }).click()
  await page.getByText('The signature is right').waitFor()
})

test('a request runs again in sandbox, and its answer is shown', async () => {
  const { demo } = browser.office
  const merOrderNo = newNumber()
  await pay(demo, { merOrderNo })
  assert.ok(await logged(merOrderNo))
  const page = await browser.open(`/developers/requests?merOrderNo=${merOrderNo}`, owner)
  await page.getByRole('row', { name: /Accepted/ }).click()
  await page.getByRole('button', { name: 'Run again in sandbox' }).click()
  const question = page.getByRole('dialog', { name: 'Run again in sandbox' })
  await question.getByRole('button', { name: 'Run again in sandbox' }).click()
  await page.getByText('Answer of the new request').waitFor()
  await page.getByRole('link', { name: 'Open the new request' }).waitFor()
})

test('a pasted request is explained, and what lacks is said at its field', async () => {
  const { demo } = browser.office
  const page = await browser.open('/developers/signature', owner)
  await page.getByRole('button', { name: 'Explain' }).click()
  await page.getByText('Paste the whole JSON body of the request.').first().waitFor()
  const body = signed(demo, '/payment', cardBody(demo, { merOrderNo: 'A-1' }))
  await page.getByLabel('Body of the request').fill(JSON.stringify(body))
  await page.getByLabel('The string that you signed').fill(`${demo.merNo}A-1USD12.3<KEY>`)
  await page.getByRole('button', { name: 'Explain' }).click()
  await page.getByText('The signature is right').waitFor()
  await page.getByText('in sourceAmount').waitFor()
})

test('a failed notification is read and sent again, alone and with all others', async () => {
  const { port } = shop.address() as AddressInfo
  const reply = await pay(browser.office.demo, { notifyUrl: `http://127.0.0.1:${port}/notify` })
  const tradeNo = String(reply.data.tradeNo)
  const isIn = async (state: 'failed' | 'delivered') =>
    (await owner.call('GET /notifications', { query: { tradeNo, state } })).rows.length > 0
  assert.ok(await eventually(() => isIn('failed')))
  const page = await browser.open(`/developers/notifications?tradeNo=${tradeNo}`, owner)
  await page.getByText('Failed', { exact: true }).waitFor()
  await checkLooks(page, 'office-notifications')
  await page.getByRole('row', { name: /Failed/ }).click()
  const panel = page.getByRole('dialog', { name: 'Notification' })
  await panel.getByText(/^Attempt 9/).waitFor()
  await checkLooks(page, 'office-notification')
  answer = 'SUCCESS'
  await panel.getByRole('button', { name: 'Send again' }).click()
  await panel.getByText('It will be sent again now.').waitFor()
  assert.ok(await eventually(() => isIn('delivered')))
  answer = 'no'
  await pay(browser.office.demo, { notifyUrl: `http://127.0.0.1:${port}/notify` })
  await page.goto(`${browser.office.baseUrl}/backoffice/developers/notifications?state=failed`)
  await page.getByText('Failed', { exact: true }).first().waitFor()
  await page.getByRole('button', { name: 'Send all failed and retrying again' }).click()
  await page.getByRole('button', { name: 'Count', exact: true }).click()
  await page.getByText(/notifications? will be sent again/).waitFor()
  await page.getByRole('button', { name: /^Send \d+ again$/ }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

test('keys and websites are shown and changed, and a new key is shown once', async () => {
  const page = await browser.open('/developers/keys', owner)
  await page.getByRole('heading', { name: 'Merchant key' }).waitFor()
  await checkLooks(page, 'office-keys')
  assert.equal(
    await page.getByRole('link', { name: 'Open live' }).getAttribute('href'),
    'https://live.example/backoffice',
  )
  await page.getByRole('button', { name: 'Make a new key' }).click()
  const question = page.getByRole('dialog', { name: 'Make a new merchant key' })
  await question.getByRole('button', { name: 'Make a new key' }).click()
  await page.getByText('Copy it now. It is not shown again.').waitFor()
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await page.getByText('Valid until').waitFor()
  // A further rotation is refused until the person chooses to end the old key.
  await page.getByRole('button', { name: 'Make a new key' }).click()
  await question.getByText('The key before the current one is still valid until').waitFor()
  await question.getByRole('button', { name: 'Make a new key' }).click()
  await question
    .getByText(/valid until .* UTC: wait until then, or end that key now/)
    .first()
    .waitFor()
  await checkLooks(page, 'office-second-rotation')
  await question.getByLabel('End that key now').check()
  await question.getByRole('button', { name: 'Make a new key' }).click()
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await page.getByLabel('Website', { exact: true }).fill('not a host')
  await page.getByRole('button', { name: 'Request website' }).click()
  await page
    .getByText(/^Enter a host such as/)
    .first()
    .waitFor()
  await page.getByLabel('Website', { exact: true }).fill('next.example')
  await page.getByRole('button', { name: 'Request website' }).click()
  await page.getByRole('row', { name: /next\.example Waits for approval/ }).waitFor()
  await page.getByLabel('Accept requests only from these addresses').check({ force: true })
  await page.getByRole('button', { name: 'Save' }).first().click()
  await page.getByText('List your addresses first').first().waitFor()
})

test('operators choose a merchant, whose number is in the address', async () => {
  const operator = await browser.office.operator('support')
  const page = await browser.open('/merchant-requests', operator)
  await page.getByLabel('Merchant number').fill(String(browser.office.demo.merNo))
  await page.getByRole('button', { name: 'Show' }).click()
  await page.waitForURL(/merNo=/)
  await page.getByText('Refused 10015').first().waitFor()
  await page.goto(`${browser.office.baseUrl}/backoffice/merchants/${browser.office.demo.merNo}`)
  await page.locator('a[href*="merchant-notifications?merNo="]').click()
  await page.waitForURL(/merchant-notifications\?merNo=/)
})

/** Words that speak to a merchant's own people. */
const toMerchant = { 'en-GB': /\byour?s?\b|\bnotify us\b/i, 'zh-CN': /您/ } as const

test('to an operator, the pages of a merchant speak about the merchant', async () => {
  const operator = await browser.office.operator('viewer')
  const { merNo } = browser.office.demo
  const pages = [
    ['keys', '/developers/keys'],
    ['notifications', '/developers/notifications'],
    ['signature', '/developers/signature'],
    ['statement', undefined],
  ] as const
  for (const locale of ['en-GB', 'zh-CN'] as const) {
    const textOf = async (path: string, person: Person, name: string) => {
      const page = await browser.open(path, person, { locale })
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.getByRole('status').waitFor({ state: 'detached' })
      if (person === operator && locale === 'en-GB') await checkLooks(page, `office-operator-${name}`)
      const text = await page.locator('#content').innerText()
      await page.context().close()
      return text
    }
    for (const [name, own] of pages) {
      assert.doesNotMatch(
        await textOf(`/merchant-${name}?merNo=${merNo}`, operator, name),
        toMerchant[locale],
      )
      if (own !== undefined) assert.match(await textOf(own, owner, name), toMerchant[locale])
    }
  }
})
