import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fastify from 'fastify'
import { md5 } from '../../platform/base/secret.ts'
import { registerDocs } from './routes.ts'
import type { Outgoing } from './try-it/send-request.ts'
import type { Trying } from './try-it/try-routes.ts'

const folder = new URL('../../../', import.meta.url)
const demo = { merNo: 37416822, key: 'demo-secret', site: 'localhost' }
const accepted = '{"code":"00000","message":"SUCCESS","data":{"tradeNo":"T1","merOrderNo":"N1"}}'

function appWith({
  sandbox = true,
  send = answering(accepted),
}: {
  sandbox?: boolean
  send?: Trying['send']
} = {}) {
  const app = fastify()
  const trying = { merchant: async () => demo, send }
  const baseUrl = 'http://127.0.0.1:8080'
  registerDocs(app, { sandbox, isLocal: sandbox, baseUrl, folder, ...(sandbox && { demo: trying }) })
  return app
}

/** Returns a sender that answers every request with the same text, and records the requests in `received`. */
function answering(text: string, received: Outgoing[] = []): Trying['send'] {
  return async (_path, request) => {
    received.push(request)
    return { status: 200, text }
  }
}

describe('GET /docs', () => {
  it('lists the pages, and serves each with the headers of every page', async () => {
    const app = appWith()
    const home = await app.inject('/docs')
    assert.equal(home.statusCode, 200)
    assert.match(home.body, /href="docs\/errors"/)
    const { headers, body } = await app.inject('/docs/errors')
    assert.match(
      String(headers['content-security-policy']),
      /^default-src 'none'; style-src 'self'; script-src 'self'/,
    )
    assert.match(body, /Error codes/)
    assert.equal((await app.inject('/docs/')).statusCode, 301)
    for (const url of ['/docs/reference', '/docs/reference/']) {
      const { location } = (await app.inject(url)).headers
      assert.equal(new URL(String(location), `http://gateway${url}`).pathname, '/docs/reference/endpoints')
    }
    assert.equal((await app.inject('/assets/docs.css')).headers['content-type'], 'text/css; charset=utf-8')
  })

  it('is not sent again to a browser that has it', async () => {
    const app = appWith()
    const { headers } = await app.inject('/docs/errors')
    assert.equal(headers['cache-control'], 'no-cache')
    const again = await app.inject({
      url: '/docs/errors',
      headers: { 'if-none-match': String(headers.etag) },
    })
    assert.deepEqual({ statusCode: again.statusCode, body: again.body }, { statusCode: 304, body: '' })
  })

  it('offers a search for an address without a page, whatever it is', async () => {
    const app = appWith()
    const { statusCode, body } = await app.inject('/docs/refund-notes')
    assert.equal(statusCode, 404)
    assert.match(body, /There is no such page/)
    assert.match(body, /<div id="found" data-by="address">/)
    assert.match(body, /href="\.\.\/docs\/reference\/refund\/apply/)
    const deep = await app.inject(`/docs/${'a/'.repeat(4_000)}`)
    assert.deepEqual(
      { statusCode: deep.statusCode, body: deep.body },
      { statusCode: 404, body: 'There is no such page.' },
    )
    for (const path of [
      '..%2f..%2fpackage.json',
      '%3Cscript%3E',
      'pictures/..%2fsigning.md',
      'try/x/y',
      'a/b/c/d',
    ])
      assert.equal((await app.inject(`/docs/${path}`)).statusCode, path.startsWith('try') ? 303 : 404, path)
    assert.doesNotMatch((await app.inject('/docs/%3Cscript%3Ealert(1)')).body, /<script>/)
  })

  it('serves pictures of the documents only', async () => {
    const app = appWith()
    const picture = await app.inject('/docs/pictures/pix-phone.png')
    assert.deepEqual(
      { status: picture.statusCode, type: picture.headers['content-type'] },
      { status: 200, type: 'image/png' },
    )
    assert.equal((await app.inject('/docs/pictures/none.png')).statusCode, 404)
  })

  it('leaves the search to the browser: every query gets the same stored page and the same passages', async () => {
    const app = appWith()
    const [empty, asked] = [await app.inject('/docs/search'), await app.inject('/docs/search?q=signature')]
    assert.equal(asked.body, empty.body)
    assert.match(empty.body, /<noscript>.*choose a page from this list/)
    assert.match(empty.body, /href="\.\.\/docs\/signing"/)
    const headers = { 'accept-encoding': 'gzip' }
    const passages = await app.inject({ url: '/docs/passages.json?q=signature', headers })
    assert.equal(passages.headers['content-encoding'], 'gzip')
    assert.ok(Number(passages.headers['content-length']) < 100_000)
    const again = await app.inject({
      url: '/docs/passages.json',
      headers: { 'if-none-match': String(passages.headers.etag) },
    })
    assert.equal(again.statusCode, 304)
    assert.equal((await app.inject('/docs/search.json?q=refund')).statusCode, 404)
  })

  it('shows the demo merchant only in sandbox, and its key only on this machine', async () => {
    const shown = async (sandbox: boolean, host: string) =>
      (await appWith({ sandbox }).inject({ url: '/docs/reference/payment', headers: { host } })).body
    assert.match(await shown(true, '127.0.0.1:8080'), /37416822/)
    assert.doesNotMatch(await shown(true, '127.0.0.1:8080'), /demo-secret/)
    assert.doesNotMatch(await shown(false, '127.0.0.1:8080'), /37416822|Try it/)
  })
})

describe('Try it', () => {
  function post(
    app: ReturnType<typeof appWith>,
    path: string,
    form: Record<string, string>,
    site = 'same-origin',
  ) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': site }
    const payload = new URLSearchParams(form).toString()
    return app.inject({ method: 'POST', url: `/docs/try${path}`, headers, payload })
  }

  it('signs as the demo merchant, and shows what was signed, sent and answered', async () => {
    const received: Outgoing[] = []
    const app = appWith({ send: answering(accepted, received) })
    const form = {
      example: 'pix',
      by: 'demo',
      'f.merOrderNo': 'A1',
      'f.currencyCode': 'BRL',
      'f.sourceAmount': '5.00',
    }
    const { statusCode, body } = await post(app, '/payment', form)
    assert.equal(statusCode, 200)
    const [sent] = received
    assert.deepEqual(sent?.headers, { Referer: 'http://localhost/', paymentType: 'PIX' })
    assert.equal(sent?.body.sign, md5('37416822A1BRL5.00demo-secret'))
    for (const text of ['37416822A1BRL5.00&#60;KEY&#62;', 'Accepted', 'tradeNo=T1'])
      assert.ok(body.includes(text), text)
    assert.doesNotMatch(body, /demo-secret/)
  })

  it('converts fields by their types, and sends as it is what does not fit', async () => {
    const received: Outgoing[] = []
    const app = appWith({ send: answering(accepted, received) })
    await post(app, '/order/queryOrderList', {
      'f.pageNum': '2',
      'f.pageSize': 'many',
      'f.dateLimit': '{"from":"a"}',
      'f.merOrderNos': '[oops',
      'f.version': '',
    })
    const { sign: _sign, ...body } = received[0]?.body ?? {}
    assert.deepEqual(body, {
      pageNum: 2,
      pageSize: 'many',
      dateLimit: { from: 'a' },
      merOrderNos: '[oops',
      merNo: demo.merNo,
    })
  })

  it('sends what the browser has signed unchanged, with the website as Referer', async () => {
    const received: Outgoing[] = []
    const app = appWith({ send: answering('{"code":"10004","message":"no <b>"}', received) })
    const form = {
      by: 'own',
      site: 'shop.example\r\nx: y',
      'f.merNo': '42',
      'f.sign': 'F'.repeat(32),
      'f.merOrderNo': 'A1',
    }
    const { body } = await post(app, '/payment', form)
    assert.equal(received[0]?.headers.Referer, 'http://shop.examplex:y/')
    assert.deepEqual(received[0]?.body, { merNo: 42, merOrderNo: 'A1', sign: 'F'.repeat(32) })
    assert.match(body, /Refused: no &#60;b&#62;/)
  })

  it('refuses other sites, unknown endpoints, long forms, and more than four at a time', async () => {
    const app = appWith()
    assert.equal((await post(app, '/payment', {}, 'cross-site')).statusCode, 403)
    assert.equal((await post(app, '/nothing', {})).statusCode, 404)
    assert.equal((await post(app, '/payment', { 'f.x': 'x'.repeat(70_000) })).statusCode, 413)
    const { promise: opened, resolve: open } = Promise.withResolvers<void>()
    const slow = appWith({
      send: async () => {
        await opened
        return { status: 200, text: accepted }
      },
    })
    const tries = Array.from({ length: 5 }, () => post(slow, '/balance/query', {}))
    const first = await Promise.race(tries)
    open()
    const statuses = (await Promise.all(tries)).map(({ statusCode }) => statusCode).sort()
    assert.deepEqual(
      { statusCode: first.statusCode, statuses },
      { statusCode: 429, statuses: [200, 200, 200, 200, 429] },
    )
  })

  it('fills in the number of an order from a link, and leaves out everything else', async () => {
    const { body } = await appWith().inject(
      '/docs/reference/refund/apply?tradeNo=T%22%3E&merOrderNo=N1&amount=9',
    )
    assert.match(body, /name="f\.tradeNo"[^>]* value="T&#34;&#62;"/)
    assert.match(body, /name="f\.merOrderNo"[^>]* value="N1"/)
    assert.match(body, /name="f\.amount"[^>]* value="2\.34"/)
  })

  it("serves the SDK's signing code to browsers", async () => {
    const app = appWith()
    const { headers, body } = await app.inject('/docs/sdk/canonical.ts')
    assert.equal(headers['content-type'], 'text/javascript; charset=utf-8')
    assert.match(body, /export function escapedString\(fields +\)/)
    assert.equal((await app.inject('/docs/sdk/send.ts')).statusCode, 404)
  })

  it('does not exist in live', async () => {
    const app = appWith({ sandbox: false })
    assert.equal((await post(app, '/payment', {})).statusCode, 404)
    assert.equal((await app.inject('/docs/sdk/md5.ts')).statusCode, 404)
  })
})
