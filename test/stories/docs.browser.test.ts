// The documentation of a sandbox in a real browser: reading, searching, and trying an endpoint with both kinds of
// signer.
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import fastify from 'fastify'
import { registerAssets } from '../../src/interfaces/checkout/routes.ts'
import { registerDocs } from '../../src/interfaces/docs/routes.ts'
import { checkLooks } from '../harness/page-checks.ts'
import { type Environment, openEnvironment, type Payer } from '../harness/payer.ts'

let env: Environment
let reader: Payer
before(async () => {
  env = await openEnvironment()
  reader = await env.openBrowser()
})
after(() => env.close())

it('is found from the home page, and leads from page to page', async () => {
  const { page } = reader
  await page.goto(env.account.baseUrl)
  await page.getByRole('link', { name: 'Documentation' }).click()
  await page.getByRole('heading', { name: 'Documentation' }).waitFor()
  await checkLooks(page, 'docs')
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.getByRole('main').getByRole('link', { name: 'Signing requests' }).click()
  await page.getByRole('heading', { name: 'Signing requests' }).waitFor()
  await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'RSA' }).click()
  assert.match(page.url(), /\/docs\/signing#rsa$/)
  await checkLooks(page, 'docs-page')
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.getByRole('navigation', { name: 'Previous and next' }).getByRole('link').last().click()
  await page.waitForURL((url) => !url.pathname.endsWith('/signing'))
})

it('shows the contents on a phone behind a button', async () => {
  const phone = await env.openBrowser('phone')
  await phone.page.goto(`${env.account.baseUrl}/docs/errors`)
  const contents = phone.page.getByRole('navigation', { name: 'Contents' })
  assert.equal(await contents.getByRole('link', { name: 'Notifications' }).isVisible(), false)
  await phone.page.getByRole('button', { name: 'Contents' }).click()
  await contents.getByRole('link', { name: 'Notifications' }).click()
  await phone.page.getByRole('heading', { name: 'Notifications' }).first().waitFor()
  await phone.leave()
})

it('finds words while they are typed, and shows all results on a page', async () => {
  const { page } = reader
  await page.goto(`${env.account.baseUrl}/docs`)
  await page.keyboard.press('/')
  await page.keyboard.type('merRefundN')
  await page.locator('.suggestions a').first().waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/docs\/reference\//)
  await page.goto(`${env.account.baseUrl}/docs`)
  await page.getByRole('searchbox').fill('signature')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Search' }).waitFor()
  await page.locator('.results mark').first().waitFor()
  assert.equal(await page.getByRole('searchbox').inputValue(), 'signature')
  await checkLooks(page, 'docs-search')
  await page.goto(`${env.account.baseUrl}/docs/search?q=qqqxxzz`)
  await page.getByText('Nothing was found for qqqxxzz').waitFor()
})

it('lists all pages to a reader who searches without script', async () => {
  const plain = await env.openBrowser('desktop', { javaScriptEnabled: false })
  await plain.page.goto(`${env.account.baseUrl}/docs`)
  await plain.page.getByRole('searchbox').fill('settlement')
  await plain.page.getByRole('button', { name: 'Search' }).click()
  await plain.page.getByRole('heading', { name: 'Search' }).waitFor()
  await plain.page.getByRole('main').getByRole('link', { name: 'Signing requests' }).click()
  await plain.page.getByRole('heading', { name: 'Signing requests' }).waitFor()
  await plain.leave()
})

it('searches for the words of an address without a page', async () => {
  // This test does not call `leave`, which would fail because the browser logs the status 404.
  const { page, context } = await env.openBrowser()
  await page.goto(`${env.account.baseUrl}/docs/no/refund-apply`)
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
  await page.locator('.results a').first().waitFor()
  await checkLooks(page, 'docs-missing')
  await page.locator('.results a[href*="refund/apply"]').first().click()
  await page.waitForURL(/\/docs\/reference\/refund\/apply/)
  await context.close()
})

it('tries an endpoint as the demo merchant, then refunds the same order', async () => {
  const { page } = reader
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto(`${env.account.baseUrl}/docs/reference/payment`)
  await page.getByText('Try it', { exact: true }).click()
  await page.getByRole('button', { name: 'Send the request' }).click()
  await page.getByRole('heading', { name: 'Accepted' }).waitFor()
  assert.match(await page.locator('#result').innerText(), /"payCode": 0/)
  await checkLooks(page, 'docs-tried')
  await page.setViewportSize({ width: 1280, height: 900 })
  // The form has a new order number, so the next request creates another order.
  await page.getByRole('button', { name: 'Send the request' }).click()
  await page.getByRole('heading', { name: 'Accepted' }).waitFor()
  await page.getByRole('link', { name: 'Refund this order' }).click()
  await page.getByRole('button', { name: 'Send the request' }).click()
  await page.getByRole('heading', { name: 'Accepted' }).waitFor()
  assert.match(await page.locator('#result').innerText(), /"refundNo"/)
})

it('signs in the browser with a key that is not sent', async () => {
  const { page } = reader
  const posts: string[] = []
  page.on('request', (request) => posts.push(request.postData() ?? ''))
  await page.goto(`${env.account.baseUrl}/docs/reference/payment?example=pix`)
  await page.getByLabel('Your own merchant').check()
  await page.getByLabel('Merchant number').fill(String(env.account.merNo))
  await page.getByLabel('Merchant key').fill(env.account.key)
  await page.getByRole('button', { name: 'Send the request' }).click()
  await page.getByRole('heading', { name: 'Accepted' }).waitFor()
  assert.ok(posts.some((body) => body.includes('f.sign=')))
  assert.ok(posts.every((body) => !body.includes(env.account.key)))
  await page.getByLabel('Merchant key').fill('wrong')
  await page.getByRole('button', { name: 'Send the request' }).click()
  await page.getByRole('heading', { name: 'Signature error' }).waitFor()
  await reader.leave()
})

it('tries an endpoint without script', async () => {
  const plain = await env.openBrowser('desktop', { javaScriptEnabled: false })
  await plain.page.goto(`${env.account.baseUrl}/docs/reference/balance/query`)
  await plain.page.getByText('Try it', { exact: true }).click()
  await plain.page.getByRole('button', { name: 'Send the request' }).click()
  await plain.page.getByRole('heading', { name: 'Accepted' }).waitFor()
  await plain.leave()
})

it('shows all samples in the language that the reader chose, also on the next visit', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'docs-'))
  const root = fileURLToPath(new URL('../..', import.meta.url))
  for (const name of ['docs', 'sdk/README.md', 'examples/README.md'])
    cpSync(join(root, name), join(folder, name), { recursive: true })
  const samples = '[samples](../examples/#pay)\n\n'
  writeFileSync(join(folder, 'docs/errors.md'), `# Errors\n\nWith samples.\n\n${samples}${samples}`)
  for (const name of ['curl/pay.sh', 'python/pay.py']) {
    mkdirSync(join(folder, 'examples', name, '..'), { recursive: true })
    writeFileSync(join(folder, 'examples', name), `# ${name}\n`)
  }
  const app = fastify()
  registerAssets(app)
  registerDocs(app, {
    sandbox: false,
    isLocal: false,
    baseUrl: 'https://pay.example',
    folder: pathToFileURL(`${folder}/`),
  })
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const { page, context } = await env.openBrowser()
  await page.goto(`${address}/docs/errors`)
  const panels = page.getByRole('tabpanel')
  const firstLines = async () => (await panels.allInnerTexts()).map((text) => text.split('\n')[0])
  assert.deepEqual(await firstLines(), ['# curl/pay.sh', '# curl/pay.sh'])
  await page.getByRole('tab', { name: 'curl' }).last().press('ArrowRight')
  assert.deepEqual(await firstLines(), ['# python/pay.py', '# python/pay.py'])
  await checkLooks(page, 'docs-samples')
  await page.reload()
  assert.equal((await firstLines())[0], '# python/pay.py')
  await panels.first().getByRole('link', { name: 'all files in Python' }).click()
  await page.getByRole('link', { name: 'pay.py' }).click()
  assert.equal(await page.locator('body').innerText(), '# python/pay.py\n')
  await context.close()
  await app.close()
  rmSync(folder, { recursive: true })
})
