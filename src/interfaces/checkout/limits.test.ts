import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aView, checkoutApp } from '../../../test/harness/checkout-app.ts'
import { networkOf } from '../../platform/http/addresses.ts'
import {
  ADDRESS_ATTEMPTS_PER_HOUR,
  attemptLimits,
  CARD_ATTEMPTS_PER_HOUR,
  CHECKS_PER_HOUR,
  ENTRIES_PER_HOUR,
  entryLimits,
  linkLimits,
  ORDERS_PER_HOUR,
  orderLimits,
  PER_MINUTE,
} from './limits.ts'

function limitsAt(start = Date.parse('2026-11-15T12:00:00Z')) {
  let now = start
  const limits = attemptLimits('live', { now: () => new Date(now) })
  return { limits, pass: (ms: number) => (now += ms) }
}

const address = '203.0.113.7'

describe('attempts on the payment pages', () => {
  it('are limited per card, from any address, for an hour', () => {
    const { limits, pass } = limitsAt()
    for (let n = 1; n <= CARD_ATTEMPTS_PER_HOUR; n++)
      assert.ok(limits.begin({ address: `203.0.113.${n}`, card: 'one' }))
    assert.equal(limits.begin({ address, card: 'one' }), undefined)
    assert.ok(limits.begin({ address, card: 'another' }))
    pass(3_600_000)
    assert.ok(limits.begin({ address, card: 'one' }))
  })

  it('are limited per address, with any card', () => {
    const { limits } = limitsAt()
    for (let n = 1; n <= ADDRESS_ATTEMPTS_PER_HOUR; n++)
      assert.ok(limits.begin({ address, card: `card ${n}` }))
    assert.equal(limits.begin({ address }), undefined)
    assert.equal(limits.begin({ address, card: 'new' }), undefined)
    assert.ok(limits.begin({ address: '203.0.113.8' }))
  })

  it('do not count once they are paid, immediately or later', () => {
    const { limits } = limitsAt()
    for (let n = 1; n <= CARD_ATTEMPTS_PER_HOUR * 3; n++) {
      const begun = limits.begin({ address, card: 'good' })
      assert.ok(begun, `try ${n}`)
      if (n % 2 === 0) begun.takeBack()
      else begun.keepFor(`T${n}`)
      limits.paid(`T${n}`)
    }
  })

  it('count while they are under way, and are uncounted only once', () => {
    const { limits } = limitsAt()
    for (let n = 1; n <= CARD_ATTEMPTS_PER_HOUR; n++) limits.begin({ address, card: 'one' })?.keepFor(`T${n}`)
    assert.equal(limits.begin({ address, card: 'one' }), undefined)
    limits.paid('T1')
    limits.paid('T1')
    assert.ok(limits.begin({ address, card: 'one' }))
    assert.equal(limits.begin({ address, card: 'one' }), undefined)
  })

  it('are not limited in sandbox', () => {
    const limits = attemptLimits('sandbox', { now: () => new Date(0) })
    for (let n = 0; n < 200; n++) assert.ok(limits.begin({ address, card: 'one' }))
  })

  it('are counted per network for IPv6 addresses', () => {
    assert.equal(networkOf('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2')
    assert.equal(networkOf('2001:db8:1:2::9'), '2001:db8:1:2')
    assert.equal(networkOf('2001:db8::9'), '2001:db8:0:0')
    assert.equal(networkOf('::1'), '0:0:0:0')
    assert.equal(networkOf('::ffff:203.0.113.7'), '203.0.113.7')
    assert.equal(networkOf('203.0.113.7'), '203.0.113.7')
  })
})

describe('entries on the payout page', () => {
  it('are limited per payout and per address, and so are checks while typing', () => {
    const limits = entryLimits('live', { now: () => new Date(0) })
    const count = (most: number, mayOnce: () => boolean) => {
      let taken = 0
      while (taken <= most && mayOnce()) taken++
      return taken
    }
    assert.equal(
      count(ENTRIES_PER_HOUR, () => limits.mayEnter('T1', address)),
      ENTRIES_PER_HOUR,
    )
    assert.equal(limits.mayEnter('T2', address), true)
    let payout = 0
    const elsewhere = '2001:db8::1'
    assert.equal(
      count(ADDRESS_ATTEMPTS_PER_HOUR, () => limits.mayEnter(`P${++payout}`, elsewhere)),
      ADDRESS_ATTEMPTS_PER_HOUR,
    )
    assert.equal(
      count(CHECKS_PER_HOUR, () => limits.mayCheck('T1')),
      CHECKS_PER_HOUR,
    )
    assert.equal(limits.mayCheck('T2'), true)
  })
})

describe('orders of payment links', () => {
  it('are limited per network, whatever the link', () => {
    const limits = orderLimits('live', { now: () => new Date('2026-11-15T12:00:00Z') })
    for (let n = 1; n <= ORDERS_PER_HOUR; n++) assert.ok(limits.mayOrder(address))
    assert.ok(!limits.mayOrder(address))
    assert.ok(limits.mayOrder('203.0.113.8'))
  })
})

function linkLimitsAt(mode: 'sandbox' | 'live' = 'live') {
  let now = Date.parse('2026-11-15T12:00:00Z')
  const limits = linkLimits(mode, { now: () => new Date(now) })
  return { limits, pass: (ms: number) => (now += ms) }
}

describe('the limits of a link', () => {
  it('count calls and reads separately, per order', () => {
    const { limits } = linkLimitsAt()
    for (let n = 0; n < PER_MINUTE.call; n++) assert.equal(limits.take('T1', 'call'), undefined)
    assert.equal(limits.take('T1', 'call'), 60)
    assert.equal(limits.take('T2', 'call'), undefined)
    for (let n = 0; n < PER_MINUTE.read; n++) assert.equal(limits.take('T1', 'read'), undefined)
    assert.equal(limits.take('T1', 'read'), 60)
  })

  it('say exactly when the next request is served', () => {
    const { limits, pass } = linkLimitsAt()
    for (let n = 0; n < PER_MINUTE.call; n++) limits.take('T1', 'call')
    pass(42_500)
    const waitSeconds = limits.take('T1', 'call')
    assert.equal(waitSeconds, 18)
    pass(1000 * (waitSeconds ?? 0))
    assert.equal(limits.take('T1', 'call'), undefined)
  })

  it('are off in sandbox', () => {
    const { limits } = linkLimitsAt('sandbox')
    for (let n = 0; n < 1000; n++) assert.equal(limits.take('T1', 'call'), undefined)
  })
})

describe('a link that is used too often', () => {
  function limitedApp() {
    const { limits } = linkLimitsAt()
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
