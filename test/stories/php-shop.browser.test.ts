// The example shop in PHP, run by Debian's php: a payer buys in a browser, the gateway notifies the shop, and strangers
// attack it.
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { type Child, startChild } from '../../bench/child.ts'
import { signNotification } from '../../sdk/src/testing.ts'
import { payByCard, wayBack } from '../harness/card-payer.ts'
import { launchChromium, PAGE_PATIENCE_MS } from '../harness/chromium.ts'
import { missingTool } from '../harness/debian-packages.ts'
import { eventually } from '../harness/eventually.ts'
import {
  freePort,
  type GatewayProcess,
  type Installation,
  openInstallation,
} from '../harness/gateway-process.ts'
import { useDatabase } from '../harness/harness.ts'
import { checkLooks } from '../harness/page-checks.ts'

const folder = fileURLToPath(new URL('../../examples/php-shop', import.meta.url))
const orders = mkdtempSync(join(tmpdir(), 'tollgate-php-shop-'))
const missing = await missingTool([{ program: 'php', package: 'php-cli' }])

let installation: Installation
let gateway: GatewayProcess
let browser: Browser
let shop: Child
let origin = ''
let printed = ''

useDatabase({
  async before({ url }) {
    if (missing !== undefined) return
    installation = await openInstallation({ DATABASE_URL: url })
    ;[gateway, browser] = await Promise.all([installation.start(), launchChromium()])
    const port = await freePort()
    origin = `http://127.0.0.1:${port}`
    shop = await startPhp(port)
  },
  async after() {
    rmSync(orders, { recursive: true })
    if (missing !== undefined) return
    await browser.close()
    await shop.stop()
    await installation.remove()
  },
})

function startPhp(port: number): Promise<Child> {
  const { baseUrl, merNo, key, site } = gateway.account
  return startChild({
    name: 'php',
    command: 'php',
    args: ['-S', `127.0.0.1:${port}`, '-t', folder, join(folder, 'index.php')],
    ready: /Development Server .* started/,
    env: {
      TOLLGATE_URL: baseUrl,
      TOLLGATE_MERNO: String(merNo),
      TOLLGATE_KEY: key,
      TOLLGATE_SITE: site,
      SHOP_URL: origin,
      SHOP_ORDERS: orders,
    },
    onOutput: (text) => {
      printed += text
    },
  })
}

async function buy(): Promise<Page> {
  const context = await browser.newContext()
  context.setDefaultTimeout(PAGE_PATIENCE_MS)
  const page = await context.newPage()
  await page.goto(origin)
  await page.getByRole('button', { name: 'Buy for 24.00 EUR' }).click()
  await page.waitForURL(/\/pay\//)
  return page
}

/** Returns how often the shop shipped this order. */
function shipped(number: string): number {
  return printed.split(`order ${number} is paid: ship it`).length - 1
}

function onPhp(name: string, act: (test: TestContext) => Promise<void>): void {
  it(name, { skip: missing ?? false }, act)
}

onPhp('sells a scarf, and ships it once', async () => {
  const page = await buy()
  await page.goto(wayBack(await payByCard(page.url())))
  await page.getByRole('heading', { name: 'Thank you' }).waitFor()
  await checkLooks(page, 'php-shop-paid')
  const number = new URL(page.url()).searchParams.get('number') ?? ''
  assert.ok(await eventually(() => shipped(number) === 1))
  // The notification is sent again, as the gateway does until a shop acknowledges.
  const data = { tradeNo: 'T1', merOrderNo: number, code: '0', message: '' } as const
  const again = await notify({ data, key: gateway.account.key })
  assert.deepEqual(
    { status: again.status, text: await again.text(), shipped: shipped(number) },
    { status: 200, text: 'SUCCESS', shipped: 1 },
  )
  await page.goto(origin)
  await checkLooks(page, 'php-shop')
})

type ToNotify = { readonly data: Parameters<typeof signNotification<'payment'>>[1]; readonly key: string }

async function notify({ data, key }: ToNotify): Promise<Response> {
  return fetch(`${origin}/notify`, { method: 'POST', ...(await signNotification('payment', data, { key })) })
}

onPhp('waits for a payer who has not paid, and believes nobody but the gateway', async () => {
  const page = await buy()
  const number = newestOrder()
  await page.goto(`${origin}/order?number=${number}`)
  await page.getByRole('heading', { name: 'We wait for your payment' }).waitFor()
  await checkLooks(page, 'php-shop-waiting')
  const data = { tradeNo: 'T1', merOrderNo: number, code: '0', message: '' } as const
  assert.equal((await notify({ data, key: 'another key' })).status, 400)
  const noOrder = { ...data, merOrderNo: '../../secret' }
  assert.equal((await notify({ data: noOrder, key: gateway.account.key })).status, 404)
  assert.equal(shipped(number), 0)
})

function newestOrder(): string {
  const files = readdirSync(orders).map((file) => ({ file, at: statSync(join(orders, file)).mtimeMs }))
  return files.toSorted((one, other) => other.at - one.at)[0]?.file.replace('.json', '') ?? ''
}

onPhp('answers bad requests with a page that says what to do', async () => {
  for (const path of [
    '/order',
    '/order?number[]=1',
    '/order?number=../x',
    '/order?number=%00',
    '/admin.php',
  ]) {
    const response = await fetch(origin + path)
    assert.equal(response.status, 404, path)
    assert.match(await response.text(), /<a href="\/">/)
  }
  for (const body of ['', 'sign[]=1', 'a[b]=c&sign=X', '{"sign":"X"}', 'x'.repeat(100_000)]) {
    const response = await fetch(`${origin}/notify`, { method: 'POST', body })
    assert.equal(response.status, 400, body.slice(0, 20))
  }
})
