import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aView, awaiting, challenge, checkoutApp, wallet } from '../../../test/harness/checkout-app.ts'
import { openDb } from '../../platform/postgres/db.ts'
import type { PayResult } from './pay-order.ts'
import type { FormState } from './view.ts'

const at = (location: unknown, from: string) => new URL(String(location), `http://host${from}`)

describe('the payment page', () => {
  it('asks the payer to return in a moment while the database cannot be used', async (t) => {
    const nowhere = openDb({ connection: { host: '127.0.0.1', port: 1 }, maxConnections: 1 })
    t.after(() => nowhere.close())
    const open = async () => {
      await nowhere.query({ text: 'select 1' })
      return undefined
    }
    const { statusCode, headers, body } = await checkoutApp(aView(), { open }).get()
    assert.deepEqual({ statusCode, retryAfter: headers['retry-after'] }, { statusCode: 503, retryAfter: '5' })
    assert.match(body, /Reload this page in a moment/)
  })

  it('shows the order and the payment methods', async () => {
    const { statusCode, body } = await checkoutApp(aView()).get()
    assert.equal(statusCode, 200)
    for (const text of ['Lamp shop', '€24.00', 'lamp-7']) assert.ok(body.includes(text), text)
    assert.match(body, /name="attempt" value="0"/)
  })

  it("allows a challenge's form to post to the bank and wherever it leads on, by https only", async () => {
    const { headers, body } = await checkoutApp(awaiting(challenge)).get()
    assert.match(String(headers['content-security-policy']), /form-action 'self' https:;/)
    assert.match(body, /action="https:\/\/bank\.example:8443\/acs\?x=1"/)
  })

  it('allows no other site for forms of pages that post to none', async () => {
    for (const view of [aView(), awaiting(wallet), aView({ status: 'succeeded', choices: [] })]) {
      const { headers } = await checkoutApp(view).get('/pay/good?back')
      assert.match(String(headers['content-security-policy']), /form-action 'self';/)
    }
  })

  it('posts a form to a wallet that takes no link, once', async () => {
    const app = checkoutApp(
      awaiting(
        { kind: 'redirect', url: 'https://wallet.example/pay?id=7', fields: { MD: '7"', PaReq: 'x' } },
        { maySwitch: false },
      ),
    )
    const { statusCode, headers, body } = await app.get()
    assert.equal(statusCode, 200)
    assert.match(String(headers['content-security-policy']), /form-action 'self' https:;/)
    assert.match(
      body,
      /<form method="post" action="https:\/\/wallet\.example\/pay\?id=7" data-auto-submit>\n<input type="hidden" name="MD" value="7&#34;">\n<input type="hidden" name="PaReq" value="x">/,
    )
    assert.equal(headers.refresh, undefined)
    const back = await app.get('/pay/good?back')
    assert.match(back.body, /<form method="post" action="https:\/\/wallet\.example\/pay\?id=7">/)
  })

  it('has working links to its files and routes, also one level below', async () => {
    const wrong: PayResult = {
      kind: 'invalid',
      view: aView(),
      formState: { values: {}, problems: { cardNo: 'missing' } },
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

  it('redirects to the wallet immediately, unless the payer can switch methods', async () => {
    const { statusCode, headers } = await checkoutApp(awaiting(wallet, { maySwitch: false })).get()
    assert.equal(statusCode, 303)
    assert.equal(headers.location, 'https://wallet.example/pay?id=7')
    const other = await checkoutApp(awaiting(wallet)).get()
    assert.equal(other.statusCode, 200)
    assert.equal(other.headers.refresh, undefined)
  })

  it('continues to the wallet after the form, but not for a payer who has returned', async () => {
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

  it('sends its origin only to a wallet that requires it, by a link that the script clicks', async () => {
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
      assert.deepEqual(
        { statusCode, refresh: headers.refresh, referrerPolicy: headers['referrer-policy'] },
        { statusCode: 200, refresh: undefined, referrerPolicy: 'origin' },
      )
      assert.equal(link.exec(body)?.[1], pressed ? ' data-auto-go' : '', query)
    }
    const other = await checkoutApp(awaiting(wallet)).get('/pay/good?back')
    assert.equal(other.headers['referrer-policy'], 'no-referrer')
    assert.match(link.exec(other.body)?.[1] ?? '', /rel="noreferrer"/)
  })

  it('does not redirect to a wallet without a web address', async () => {
    const app = checkoutApp(awaiting({ kind: 'redirect', url: 'javascript:alert(1)' }))
    for (const url of ['/pay/good', '/pay/good?go']) {
      const { statusCode, headers, body } = await app.get(url)
      assert.equal(statusCode, 200)
      assert.equal(headers.refresh, undefined)
      assert.doesNotMatch(body, /javascript:/)
    }
  })

  it('says that the form was stale only while there is another one to fill in', async () => {
    const said = /another tab or window/
    assert.match((await checkoutApp(aView()).get('/pay/good?stale')).body, said)
    assert.doesNotMatch((await checkoutApp(aView()).get()).body, said)
    assert.doesNotMatch((await checkoutApp(awaiting(challenge)).get('/pay/good?stale')).body, said)
  })

  it('says only in sandbox that no money moves', async () => {
    assert.match((await checkoutApp(aView()).get()).body, /Sandbox: no money moves/)
    assert.doesNotMatch((await checkoutApp(aView(), { sandbox: false }).get()).body, /Sandbox/)
  })
})

describe('the form', () => {
  it('is submitted with details of the browser, then redirects to the page', async () => {
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

  it('with errors is shown again with its problems, and after too many attempts with a notice', async () => {
    const formState: FormState = {
      method: 'card',
      values: { billingCity: 'Lima' },
      problems: { cardNo: 'cardNumber' },
    }
    const paid = (more: Partial<FormState>): PayResult => ({
      kind: 'invalid',
      view: aView(),
      formState: { ...formState, ...more },
    })
    const wrong = await checkoutApp(aView(), { pay: async () => paid({}) }).post('/pay/good/pay', {})
    assert.equal(wrong.statusCode, 422)
    assert.match(wrong.body, /a digit is wrong or missing/)
    assert.match(wrong.body, /value="Lima"/)
    const often = checkoutApp(aView(), { pay: async () => paid({ problems: {}, notice: 'tooManyAttempts' }) })
    const tooOften = await often.post('/pay/good/pay', {})
    assert.equal(tooOften.statusCode, 429)
    assert.match(tooOften.body, /too many attempts/)
  })

  it('that is stale redirects to the current page', async () => {
    const { post } = checkoutApp(aView(), { pay: async () => ({ kind: 'stale' }) })
    const { statusCode, headers } = await post('/pay/good/pay', {})
    assert.equal(statusCode, 303)
    assert.equal(at(headers.location, '/pay/good/pay').href, 'http://host/pay/good?stale')
  })

  it('reloaded by its address shows the page', async () => {
    for (const path of ['pay', 'switch', 'cancel']) {
      const { statusCode, headers } = await checkoutApp(aView()).get(`/pay/good/${path}`)
      assert.equal(statusCode, 303)
      assert.equal(at(headers.location, `/pay/good/${path}`).pathname, '/pay/good')
    }
  })

  it('larger than 16 KiB, or of another type, is refused with a page', async () => {
    const { post, sent } = checkoutApp(aView())
    assert.equal((await post('/pay/good/pay', `x=${'x'.repeat(16_384)}`)).statusCode, 413)
    const json = await post('/pay/good/pay', '<x/>', { 'content-type': 'text/xml' })
    assert.equal(json.statusCode, 415)
    assert.match(json.body, /<html/)
    assert.deepEqual(sent, [])
  })
})

describe('cancelling', () => {
  it('cancels the attempt or the order, if allowed', async () => {
    const { post, cancelled } = checkoutApp(awaiting(challenge))
    assert.equal((await post('/pay/good/switch', {})).statusCode, 303)
    assert.equal((await post('/pay/good/cancel', { attempt: '1' })).statusCode, 303)
    assert.deepEqual(cancelled, ['attempt', 'order'])
  })

  it('changes nothing if it is not allowed, or if the form is stale', async () => {
    const shut = checkoutApp(awaiting(challenge, { maySwitch: false, mayCancel: false }))
    for (const path of ['switch', 'cancel']) await shut.post(`/pay/good/${path}`, {})
    const old = checkoutApp(awaiting(challenge))
    for (const path of ['switch', 'cancel']) await old.post(`/pay/good/${path}`, { attempt: '0' })
    assert.deepEqual([...shut.cancelled, ...old.cancelled], [])
  })
})

describe('returning from a bank or wallet', () => {
  it('passes the browser’s parameters on, by form or by link, then shows the page', async () => {
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

  it('from a wallet that has not decided shows a page that does not continue there again', async () => {
    for (const action of [wallet, challenge]) {
      const { headers } = await checkoutApp(awaiting(action, { maySwitch: false })).get('/pay/good/complete')
      assert.equal(at(headers.location, '/pay/good/complete').href, 'http://host/pay/good?back')
    }
    const { get } = checkoutApp(awaiting(challenge))
    assert.match((await get()).body, /action="https:\/\/bank\.example[^>]* data-auto-submit/)
    const back = (await get('/pay/good?back')).body
    assert.doesNotMatch(back, /data-auto-submit/)
    assert.match(back, /data-events="/, 'the result of the bank may still come')
    assert.doesNotMatch((await get()).body, /data-events="/)
  })

  it('from a bank that asks again after an answer continues to the bank', async () => {
    const { post } = checkoutApp(awaiting(challenge))
    const { headers } = await post('/pay/good/complete', 'cres=eyJ9')
    assert.equal(at(headers.location, '/pay/good/complete').href, 'http://host/pay/good')
  })

  it('shows a page without the reason if it fails', async () => {
    const { get } = checkoutApp(aView(), {
      complete: async () => Promise.reject(new Error('SECRET DETAIL')),
    })
    const { statusCode, body } = await get('/pay/good/complete')
    assert.equal(statusCode, 500)
    assert.match(body, /went wrong on our side/)
    assert.doesNotMatch(body, /SECRET/)
  })
})

describe('live status', () => {
  it('works by stream and by polling', async () => {
    const { get } = checkoutApp(aView())
    const events = await get('/pay/good/events')
    assert.match(String(events.headers['content-type']), /^text\/event-stream/)
    assert.match(events.body, /^data: /)
    assert.deepEqual((await get('/pay/good/status')).json(), { mark: 'a version' })
  })

  it('falls back to polling once a stream has ended, or if there are too many', async () => {
    const again = await checkoutApp(aView()).get('/pay/good/events', { 'last-event-id': '1' })
    const full = await checkoutApp(aView(), { listen: async () => ({ stream: undefined }) }).get(
      '/pay/good/events',
    )
    assert.deepEqual({ again: again.statusCode, full: full.statusCode }, { again: 204, full: 204 })
  })

  it('ends with the server', async () => {
    const { app, calls } = checkoutApp(aView())
    await app.ready()
    await app.close()
    assert.equal(calls.closed, 1)
  })
})

describe("a merchant's branding", () => {
  it('serves the logo with its type, and the colour as a style sheet', async () => {
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
