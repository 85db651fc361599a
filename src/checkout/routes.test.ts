import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aView, awaiting, challenge, checkoutApp, wallet } from '../../test/checkout-app.ts'
import type { Filling } from './filling.ts'
import type { Paid } from './pay-order.ts'

const at = (location: unknown, from: string) => new URL(String(location), `http://host${from}`)

describe('the payment page', () => {
  it('shows the order and the ways to pay', async () => {
    const { statusCode, body } = await checkoutApp(aView()).get()
    assert.equal(statusCode, 200)
    for (const text of ['Lamp shop', '€24.00', 'lamp-7']) assert.ok(body.includes(text), text)
    assert.match(body, /name="attempt" value="0"/)
  })

  it("lets a challenge's form post to the bank and nowhere else", async () => {
    const { headers, body } = await checkoutApp(awaiting(challenge)).get()
    assert.match(
      String(headers['content-security-policy']),
      /form-action 'self' https:\/\/bank\.example:8443;/,
    )
    assert.match(body, /action="https:\/\/bank\.example:8443\/acs\?x=1"/)
    const { headers: others } = await checkoutApp(aView()).get()
    assert.match(String(others['content-security-policy']), /form-action 'self';/)
  })

  it('finds its files and its own addresses where it names them, one level below too', async () => {
    const wrong: Paid = {
      kind: 'wrong',
      view: aView(),
      filling: { values: {}, problems: { cardNo: 'missing' } },
    }
    const branded = aView({ merchant: { name: 'Lamp shop', accent: '#aabbcc', hasLogo: true } })
    const app = checkoutApp(branded, { pay: async () => wrong })
    const pages = [
      ['/pay/good', await app.get()],
      ['/pay/good/pay', await app.post('/pay/good/pay', { attempt: '0' })],
      ['/pay/wrong', await app.get('/pay/wrong')],
      ['/pay/wrong/complete', await app.get('/pay/wrong/complete')],
      ['/pay/wrong/no/such/page', await app.get('/pay/wrong/no/such/page')],
    ] as const
    for (const [path, page] of pages) {
      const named = [...page.body.matchAll(/(?:href|src)="(\.[^"]+|good\/[^"]+)"/g)].map(([, name]) => name)
      assert.ok(named.length >= 2, page.body)
      for (const name of named) {
        const { statusCode } = await app.get(at(name, path).pathname)
        assert.equal(statusCode, 200, `${name} on ${path}`)
      }
      for (const [, action] of page.body.matchAll(/<form method="post" action="([^"]+)"/g))
        assert.match(at(action, path).pathname, /^\/pay\/good\/(pay|switch|cancel)$/)
    }
  })

  it('of a wallet is the wallet itself at once, unless the page has other ways to offer', async () => {
    const { statusCode, headers } = await checkoutApp(awaiting(wallet, { maySwitch: false })).get()
    assert.equal(statusCode, 303)
    assert.equal(headers.location, 'https://wallet.example/pay?id=7')
    const other = await checkoutApp(awaiting(wallet)).get()
    assert.equal(other.statusCode, 200)
    assert.equal(other.headers.refresh, undefined)
  })

  it('leads on to the wallet by itself after the form, and holds still for whoever came back', async () => {
    for (const after of ['?go', '?stale']) {
      const { statusCode, headers } = await checkoutApp(awaiting(wallet)).get(`/pay/good${after}`)
      assert.equal(statusCode, 200)
      assert.equal(headers.refresh, '0; url=https://wallet.example/pay?id=7')
    }
    const { statusCode, headers, body } = await checkoutApp(awaiting(wallet)).get('/pay/good?back')
    assert.equal(statusCode, 200)
    assert.equal(headers.refresh, undefined)
    assert.match(body, /href="https:\/\/wallet\.example\/pay\?id=7"/)
  })

  it('tells its origin to a wallet that asks for it, by a link that its script presses, and to nobody else', async () => {
    const action = { ...wallet, referrer: 'origin' } as const
    const link = /<a class="button" href="https:\/\/wallet\.example\/pay\?id=7"([^>]*)>/
    for (const [query, maySwitch, pressed] of [
      ['', false, true],
      ['', true, false],
      ['?go', true, true],
      ['?back', false, false],
    ] as const) {
      const { statusCode, headers, body } = await checkoutApp(awaiting(action, { maySwitch })).get(
        `/pay/good${query}`,
      )
      assert.deepEqual([statusCode, headers.refresh, headers['referrer-policy']], [200, undefined, 'origin'])
      assert.equal(link.exec(body)?.[1], pressed ? ' data-auto-go' : '', query)
    }
    const other = await checkoutApp(awaiting(wallet)).get('/pay/good?back')
    assert.equal(other.headers['referrer-policy'], 'no-referrer')
    assert.match(link.exec(other.body)?.[1] ?? '', /rel="noreferrer"/)
  })

  it('leads to no wallet that is not on the web', async () => {
    const app = checkoutApp(awaiting({ kind: 'redirect', url: 'javascript:alert(1)' }))
    for (const url of ['/pay/good', '/pay/good?go']) {
      const { statusCode, headers, body } = await app.get(url)
      assert.equal(statusCode, 200)
      assert.equal(headers.refresh, undefined)
      assert.doesNotMatch(body, /javascript:/)
    }
  })

  it('says that the form was old only while there is another to fill in', async () => {
    const said = /another tab or window/
    assert.match((await checkoutApp(aView()).get('/pay/good?stale')).body, said)
    assert.doesNotMatch((await checkoutApp(aView()).get()).body, said)
    assert.doesNotMatch((await checkoutApp(awaiting(challenge)).get('/pay/good?stale')).body, said)
  })

  it('says in the sandbox, and only there, that no money moves', async () => {
    assert.match((await checkoutApp(aView()).get()).body, /Sandbox: no money moves/)
    assert.doesNotMatch((await checkoutApp(aView(), { sandbox: false }).get()).body, /Sandbox/)
  })
})

describe('the form', () => {
  it('is handed on with what the browser is, then the page shows how it went', async () => {
    const { post, sent } = checkoutApp(aView())
    const headers = { 'user-agent': `Tester ${'x'.repeat(600)}`, accept: 'text/html' }
    const { statusCode, headers: answer } = await post(
      '/pay/good/pay',
      { method: 'card', attempt: '0' },
      headers,
    )
    assert.equal(statusCode, 303)
    assert.equal(at(answer.location, '/pay/good/pay').href, 'http://host/pay/good?go')
    const [{ form, browser } = { form: {}, browser: undefined }] = sent
    assert.deepEqual(form, { method: 'card', attempt: '0' })
    assert.equal(browser?.address, '127.0.0.1')
    assert.equal(browser?.accept, 'text/html')
    assert.equal(browser?.userAgent.length, 512)
  })

  it('that is wrong comes back with its problems, and one that was tried too often with a word on that', async () => {
    const filling: Filling = {
      method: 'card',
      values: { billingCity: 'Lima' },
      problems: { cardNo: 'cardNumber' },
    }
    const paid = (more: Partial<Filling>): Paid => ({
      kind: 'wrong',
      view: aView(),
      filling: { ...filling, ...more },
    })
    const wrong = await checkoutApp(aView(), { pay: async () => paid({}) }).post('/pay/good/pay', {})
    assert.equal(wrong.statusCode, 422)
    assert.match(wrong.body, /a digit is wrong or missing/)
    assert.match(wrong.body, /value="Lima"/)
    const often = checkoutApp(aView(), { pay: async () => paid({ problems: {}, notice: 'tooManyTries' }) })
    const tooOften = await often.post('/pay/good/pay', {})
    assert.equal(tooOften.statusCode, 429)
    assert.match(tooOften.body, /too many attempts/)
  })

  it('that is old leads to the page as it is now', async () => {
    const { post } = checkoutApp(aView(), { pay: async () => ({ kind: 'stale' }) })
    const { statusCode, headers } = await post('/pay/good/pay', {})
    assert.equal(statusCode, 303)
    assert.equal(at(headers.location, '/pay/good/pay').href, 'http://host/pay/good?stale')
  })

  it('loaded again by its address shows the page', async () => {
    for (const path of ['pay', 'switch', 'cancel']) {
      const { statusCode, headers } = await checkoutApp(aView()).get(`/pay/good/${path}`)
      assert.equal(statusCode, 303)
      assert.equal(at(headers.location, `/pay/good/${path}`).pathname, '/pay/good')
    }
  })

  it('of more than 16 KiB, or not a form, is refused with a page', async () => {
    const { post, sent } = checkoutApp(aView())
    assert.equal((await post('/pay/good/pay', `x=${'x'.repeat(16_384)}`)).statusCode, 413)
    const json = await post('/pay/good/pay', '<x/>', { 'content-type': 'text/xml' })
    assert.equal(json.statusCode, 415)
    assert.match(json.body, /<html/)
    assert.deepEqual(sent, [])
  })
})

describe('giving up', () => {
  it('ends the attempt or the order, where that may be', async () => {
    const { post, givenUp } = checkoutApp(awaiting(challenge))
    assert.equal((await post('/pay/good/switch', {})).statusCode, 303)
    assert.equal((await post('/pay/good/cancel', { attempt: '1' })).statusCode, 303)
    assert.deepEqual(givenUp, ['attempt', 'order'])
  })

  it('changes nothing where it may not be, or when the form is of before', async () => {
    const shut = checkoutApp(awaiting(challenge, { maySwitch: false, mayCancel: false }))
    for (const path of ['switch', 'cancel']) await shut.post(`/pay/good/${path}`, {})
    const old = checkoutApp(awaiting(challenge))
    for (const path of ['switch', 'cancel']) await old.post(`/pay/good/${path}`, { attempt: '0' })
    assert.deepEqual([...shut.givenUp, ...old.givenUp], [])
  })
})

describe('coming back', () => {
  it('hands on what the browser brought, by form or by link, then shows the page', async () => {
    const { post, get, brought } = checkoutApp(aView({ status: 'succeeded' }))
    const byForm = await post('/pay/good/complete', 'cres=eyJ9&threeDSSessionData=a%20b')
    const byLink = await get('/pay/good/complete?result=ok')
    await post('/pay/good/complete', '')
    for (const { statusCode, headers } of [byForm, byLink]) {
      assert.equal(statusCode, 303)
      assert.equal(at(headers.location, '/pay/good/complete').href, 'http://host/pay/good')
    }
    assert.deepEqual(brought, [{ cres: 'eyJ9', threeDSSessionData: 'a b' }, { result: 'ok' }, {}])
  })

  it('from a wallet that has not decided leads to a page that does not lead there again', async () => {
    const { headers } = await checkoutApp(awaiting(wallet, { maySwitch: false })).get('/pay/good/complete')
    assert.equal(at(headers.location, '/pay/good/complete').href, 'http://host/pay/good?back')
  })

  it('that breaks us shows a page without the reason', async () => {
    const { get } = checkoutApp(aView(), {
      complete: async () => Promise.reject(new Error('SECRET DETAIL')),
    })
    const { statusCode, body } = await get('/pay/good/complete')
    assert.equal(statusCode, 500)
    assert.match(body, /went wrong on our side/)
    assert.doesNotMatch(body, /SECRET/)
  })
})

describe('being told of changes', () => {
  it('works by stream and by asking', async () => {
    const { get } = checkoutApp(aView())
    const events = await get('/pay/good/events')
    assert.match(String(events.headers['content-type']), /^text\/event-stream/)
    assert.match(events.body, /^data: /)
    assert.deepEqual((await get('/pay/good/status')).json(), { mark: 'a mark' })
  })

  it('is by asking alone once a stream has ended, or when there are too many', async () => {
    const again = await checkoutApp(aView()).get('/pay/good/events', { 'last-event-id': '1' })
    const full = await checkoutApp(aView(), { listen: async () => ({ stream: undefined }) }).get(
      '/pay/good/events',
    )
    assert.deepEqual([again.statusCode, full.statusCode], [204, 204])
  })

  it('ends when the server does', async () => {
    const { app, heard } = checkoutApp(aView())
    await app.ready()
    await app.close()
    assert.equal(heard.closed, 1)
  })
})

describe("a merchant's look", () => {
  it('is its picture by the type that it has, and its colour as a style', async () => {
    const { get } = checkoutApp(aView())
    const logo = await get('/pay/good/logo')
    assert.equal(logo.headers['content-type'], 'image/png')
    assert.equal(logo.headers['x-content-type-options'], 'nosniff')
    const accent = await get('/assets/accent/aabbcc.css')
    assert.match(String(accent.headers['content-type']), /^text\/css/)
    assert.match(accent.body, /--accent:#aabbcc/)
    for (const wrong of ['aabbcg.css', 'aabbcc', 'aabbcc.css.js', '%23aabbcc.css'])
      assert.equal((await get(`/assets/accent/${wrong}`)).statusCode, 404)
  })
})
