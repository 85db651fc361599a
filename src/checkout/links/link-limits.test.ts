import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aView, checkoutApp } from '../../../test/checkout-app.ts'
import { linkLimits, PER_MINUTE } from './link-limits.ts'

function limitsAt(mode: 'sandbox' | 'live' = 'live') {
  let now = Date.parse('2026-11-15T12:00:00Z')
  const limits = linkLimits(mode, { now: () => new Date(now) })
  return { limits, pass: (ms: number) => (now += ms) }
}

describe('the limits of a link', () => {
  it('count calls and reads separately, per order', () => {
    const { limits } = limitsAt()
    for (let n = 0; n < PER_MINUTE.call; n++) assert.equal(limits.take('T1', 'call'), undefined)
    assert.equal(limits.take('T1', 'call'), 60)
    assert.equal(limits.take('T2', 'call'), undefined)
    for (let n = 0; n < PER_MINUTE.read; n++) assert.equal(limits.take('T1', 'read'), undefined)
    assert.equal(limits.take('T1', 'read'), 60)
  })

  it('say exactly when the next request is served', () => {
    const { limits, pass } = limitsAt()
    for (let n = 0; n < PER_MINUTE.call; n++) limits.take('T1', 'call')
    pass(42_500)
    const waitSeconds = limits.take('T1', 'call')
    assert.equal(waitSeconds, 18)
    pass(1000 * (waitSeconds ?? 0))
    assert.equal(limits.take('T1', 'call'), undefined)
  })

  it('are off in sandbox', () => {
    const { limits } = limitsAt('sandbox')
    for (let n = 0; n < 1000; n++) assert.equal(limits.take('T1', 'call'), undefined)
  })
})

describe('a link that is used too often', () => {
  function limitedApp() {
    const { limits } = limitsAt()
    return checkoutApp(aView(), { limit: (token, cost) => limits.take(token, cost) })
  }

  it('stops calling the channel at the limit, and returns a page that says when to retry', async () => {
    const { get, brought } = limitedApp()
    const answers = []
    for (let n = 0; n < PER_MINUTE.call + 5; n++) answers.push(await get('/pay/good/complete'))
    assert.equal(brought.length, PER_MINUTE.call)
    const last = answers.at(-1)
    assert.equal(last?.statusCode, 429)
    assert.equal(last?.headers['retry-after'], '60')
    assert.match(last?.body ?? '', /loaded too often/)
    assert.equal((await get('/pay/good')).statusCode, 200, 'reading the page is counted separately')
  })

  it('limits forms, pages, polls and streams', async () => {
    const { get, post, sent, calls } = limitedApp()
    for (let n = 0; n < PER_MINUTE.call + 1; n++)
      await post(['/pay/good/pay', '/pay/good/cancel', '/pay/good/switch'][n % 3] ?? '', {})
    assert.equal((await post('/pay/good/pay', {})).statusCode, 429)
    assert.ok(sent.length + calls.cancelled.length <= PER_MINUTE.call)
    for (let n = 0; n < PER_MINUTE.read; n++) await get('/pay/good/status')
    for (const path of ['', '/status', '/events', '/logo'])
      assert.equal((await get(`/pay/good${path}`)).statusCode, 429, path)
  })
})
