// Tests compressed and uncompressed pages as they are sent over HTTP.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type IncomingMessage, request as send } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { choosing } from '../../../test/builders/checkout-views.ts'
import { aView, checkoutApp } from '../../../test/harness/checkout-app.ts'
import { assetsFolder } from '../../platform/pages/manifest.ts'
import { methodNames } from '../../rails/methods/methods.ts'
import { registerHome } from './home-page.ts'
import type { PayResult } from './pay-order.ts'
import type { CheckoutView } from './view.ts'

const view: CheckoutView = { ...choosing(...methodNames()), frameAncestors: [] }
const wrong: PayResult = {
  kind: 'invalid',
  view,
  formState: { method: 'card', values: { billingFirstName: 'Ana' }, problems: { cardNo: 'missing' } },
}

const views: Readonly<Record<string, CheckoutView>> = {
  good: view,
  small: aView({ status: 'succeeded', choices: [] }),
}

let origin: string
const { app } = checkoutApp(view, {
  open: async (token) => views[token],
  pay: async () => wrong,
})
before(async () => {
  registerHome(app, { sandbox: true, baseUrl: 'https://pay.example', version: '1.2.3' })
  origin = await app.listen({ host: '127.0.0.1', port: 0 })
})
after(() => app.close())

type Got = { readonly headers: IncomingMessage['headers']; readonly wire: Buffer; readonly text: string }

async function get(path: string, accepted?: string, method = 'GET'): Promise<Got> {
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const headers = {
    ...(method === 'POST' && type),
    ...(accepted !== undefined && { 'accept-encoding': accepted }),
  }
  const request = send(origin + path, { method, headers }).end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const wire = await buffer(response)
  const isCompressed = response.headers['content-encoding'] === 'gzip'
  return { headers: response.headers, wire, text: String(isCompressed ? gunzipSync(wire) : wire) }
}

describe('a large page without typed text', () => {
  for (const path of ['/pay/good', '/'])
    it(`at ${path} is compressed for a browser that accepts it`, async () => {
      const plain = await get(path)
      assert.equal(plain.headers['content-encoding'], undefined)
      for (const accepted of ['gzip, deflate, br', 'br;q=1.0, GZIP;q=0.5', 'gzip']) {
        const { headers, wire, text } = await get(path, accepted)
        assert.equal(headers['content-encoding'], 'gzip', accepted)
        assert.equal(headers.vary, 'accept-encoding')
        assert.equal(headers['cache-control'], 'no-store')
        assert.equal(text, plain.text)
        assert.ok(wire.length < plain.wire.length * 0.6, `${wire.length} of ${plain.wire.length}`)
      }
    })

  it('is not compressed for others', async () => {
    for (const accepted of ['', 'identity', 'br', 'gzip;q=0, br', 'gzip; q=0.000', 'not-gzip', '*;q=0'])
      for (const path of ['/pay/good', '/', '/assets/pay.css']) {
        const { headers } = await get(path, accepted)
        assert.equal(headers['content-encoding'], undefined, accepted)
        assert.equal(headers.vary, 'accept-encoding')
      }
  })
})

describe('a page', () => {
  it('with text that the payer typed is not compressed', async () => {
    const { headers, wire, text } = await get('/pay/good/pay', 'gzip', 'POST')
    assert.match(text, /value="Ana"/)
    assert.equal(headers['content-encoding'], undefined)
    assert.ok(wire.length > 10_000)
  })

  it('that is small, or that says what is wrong, is not compressed', async () => {
    for (const path of ['/pay/small', '/pay/unknown', '/pay/unknown/no/page'])
      assert.equal((await get(path, 'gzip')).headers['content-encoding'], undefined, path)
  })
})

it('style sheets and scripts are compressed', async () => {
  for (const name of ['pay.css', 'pay.js', 'fields.js', 'home.css']) {
    const { headers, wire, text } = await get(`/assets/${name}`, 'gzip, deflate, br')
    assert.equal(headers['content-encoding'], 'gzip')
    assert.equal(text, readFileSync(new URL(name, assetsFolder), 'utf8'))
    assert.ok(wire.length < text.length / 2)
  }
})
