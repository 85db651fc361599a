// A bank whose page for 3-D Secure redirects to another host, in a real browser. The policy's form-action also applies
// to redirects after a form.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer as createPlain, type RequestListener, type Server } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { after, before, describe, type TestContext, test } from 'node:test'
import type { Browser } from 'playwright-core'
import type { PayerAction } from '../../src/rails/contract/channel.ts'
import { selfSigned } from '../builders/self-signed.ts'
import { awaiting, checkoutApp } from '../harness/checkout-app.ts'
import { launchChromium } from '../harness/chromium.ts'
import { eventually } from '../harness/eventually.ts'

let browser: Browser
before(async () => {
  browser = await launchChromium()
})
after(() => browser.close())

type Scheme = 'http' | 'https'

async function serve(t: TestContext, scheme: Scheme, handle: RequestListener): Promise<string> {
  const server: Server = scheme === 'https' ? createServer(selfSigned, handle) : createPlain(handle)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `${scheme}://localhost:${(server.address() as AddressInfo).port}`
}

/** Opens a bank that sends the payer's browser from one host to another, where a button returns to our page. */
async function openBank(t: TestContext, schemes: readonly [Scheme, Scheme], status: number) {
  const returns = { url: '' }
  const page = () =>
    `<form method="post" action="${returns.url}"><input name="cres" value="done"><button>Confirm</button></form>`
  const host = await serve(t, schemes[1], (_, reply) =>
    reply.setHeader('content-type', 'text/html').end(page()),
  )
  const acsUrl = await serve(t, schemes[0], (_, reply) =>
    reply.writeHead(status, { location: `${host}/code` }).end(),
  )
  return { returns, acsUrl: `${acsUrl}/acs`, codeUrl: `${host}/code` }
}

type Kind = 'challenge' | 'form'
type Journey = {
  readonly kind?: Kind
  readonly schemes: readonly [Scheme, Scheme]
  readonly status: number
}

const actionAt = (url: string): Record<Kind, PayerAction> => ({
  challenge: { kind: 'challenge', acsUrl: url, creq: 'eyJhIjoxfQ' },
  form: { kind: 'redirect', url, fields: { PaReq: 'x' } },
})

/** Opens our page, and waits until the payer is at the bank's second host, or the browser refuses to go there. */
async function visit(t: TestContext, { kind = 'challenge', schemes, status }: Journey) {
  const { returns, acsUrl, codeUrl } = await openBank(t, schemes, status)
  const { app, calls } = checkoutApp(awaiting(actionAt(acsUrl)[kind], { maySwitch: false }))
  const pageUrl = `${await app.listen({ host: '127.0.0.1', port: 0 })}/pay/good`
  t.after(() => app.close())
  returns.url = `${pageUrl}/complete`
  const page = await browser.newPage({ ignoreHTTPSErrors: true })
  t.after(() => page.close())
  const refusals: string[] = []
  page.on('console', (message) => {
    if (message.text().includes('form-action')) refusals.push(message.text())
  })
  await page.goto(pageUrl, { waitUntil: 'commit' })
  assert.ok(await eventually(() => page.url() === codeUrl || refusals.length > 0))
  return { page, refusals, calls }
}

const journeys: readonly Journey[] = [
  ...[302, 303, 307].map((status) => ({ schemes: ['https', 'https'], status }) as const),
  // In sandbox, banks may be at plain http.
  { schemes: ['http', 'http'], status: 303 },
  { schemes: ['http', 'https'], status: 303 },
  { kind: 'form', schemes: ['https', 'https'], status: 303 },
  { kind: 'form', schemes: ['http', 'http'], status: 303 },
]

describe('a bank that leads on to another host', () => {
  for (const journey of journeys) {
    const { kind = 'challenge', schemes, status } = journey
    test(`${kind}, ${schemes.join(' to ')} by ${status}: the payer gets there and returns`, async (t) => {
      const { page, refusals, calls } = await visit(t, journey)
      assert.deepEqual(refusals, [])
      await page.getByRole('button', { name: 'Confirm' }).click()
      assert.ok(await eventually(() => calls.brought.length > 0))
      assert.deepEqual(calls.brought, [{ cres: 'done' }])
    })
  }

  test('is not followed from https to http', async (t) => {
    const { refusals } = await visit(t, { schemes: ['https', 'http'], status: 303 })
    assert.equal(refusals.length, 1)
  })
})
