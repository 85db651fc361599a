import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  aCardPayment,
  aMerchant,
  buildFrame,
  type JsonBody,
  signed,
  type TestFrame,
} from '../../../../test/harness/merchant-frame.ts'
import { clientLimits } from './rate-limit.ts'

function movableClock() {
  let now = Date.parse('2026-01-01T00:00:00Z')
  return {
    now: () => new Date(now),
    pass: (ms: number) => {
      now += ms
    },
  }
}

async function openLive() {
  const clock = movableClock()
  const frame = await buildFrame({ mode: 'live', clock, merchants: [aMerchant(), aMerchant({ merNo: 2 })] })
  return { clock, post: (body: unknown, from = HERE, path = '/payment') => postFrom(frame, path, body, from) }
}

const HERE = '192.0.2.1'

async function postFrom({ app }: TestFrame, url: string, body: unknown, remoteAddress: string) {
  const answer = await app.inject({
    method: 'POST',
    url,
    remoteAddress,
    payload: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', referer: 'https://shop.example/cart' },
  })
  const { code, message } = answer.json<{ code: string; message: string }>()
  return { status: answer.statusCode, code, message, retryAfter: answer.headers['retry-after'] }
}

const right = signed(aCardPayment())
const wrong: JsonBody = { ...right, sign: '0'.repeat(32) }

describe('wrong signatures in live', () => {
  it('give 429 beyond 60 a minute for one merchant from one address, with the correct Retry-After', async () => {
    const { clock, post } = await openLive()
    for (let failed = 0; failed < 60; failed++) {
      assert.equal((await post(wrong)).code, '10015')
      clock.pass(100)
    }
    const { status, code, message, retryAfter } = await post(wrong)
    assert.deepEqual({ status, code, retryAfter }, { status: 429, code: '10107', retryAfter: '54' })
    assert.match(message, /try again in 54 s/)
    clock.pass(53_900)
    assert.equal((await post(wrong)).retryAfter, '1')
    clock.pass(100)
    assert.equal((await post(wrong)).code, '10015')
  })

  it('never block a valid signature, another merchant or another address', async () => {
    const { post } = await openLive()
    for (let failed = 0; failed < 100; failed++) await post(wrong)
    assert.equal((await post(right)).code, '00000')
    assert.equal((await post(wrong)).status, 429)
    assert.equal((await post({ ...wrong, merNo: 2 })).code, '10015')
    assert.equal((await post(wrong, '192.0.2.2')).code, '10015')
  })

  it('are counted per /64 in IPv6', async () => {
    const { post } = await openLive()
    for (let failed = 0; failed < 60; failed++) await post(wrong, `2001:db8:1:2::${failed}`)
    assert.equal((await post(wrong, '2001:db8:1:2:ffff::1')).status, 429)
    assert.equal((await post(wrong, '2001:db8:1:3::1')).code, '10015')
  })
})

describe('failures up to the signature check in live', () => {
  const failures: readonly unknown[] = [
    'not JSON',
    { merNo: 'x' },
    { ...right, merNo: 99 },
    { ...right, merNo: '' },
    { ...right, sourceAmount: '' },
    { ...wrong, merNo: 2 },
  ]

  it('give 429 beyond 600 a minute from one address, before the body is read', async () => {
    const { clock, post } = await openLive()
    for (let failed = 0; failed < 600; failed++) {
      const { status, code } = await post(failures[failed % failures.length])
      assert.ok(status === 200 || code === '10107', code)
    }
    clock.pass(20_000)
    const { status, code, retryAfter } = await post('whatever')
    assert.deepEqual({ status, code, retryAfter }, { status: 429, code: '10107', retryAfter: '40' })
    assert.equal((await post(right)).status, 429, 'its signature is not checked')
    assert.equal((await post(right, '192.0.2.2')).code, '00000')
    clock.pass(40_000)
    assert.equal((await post(right)).code, '00000')
  })

  it('include wrong signatures that got 429 themselves', async () => {
    const { post } = await openLive()
    for (let failed = 0; failed < 600; failed++) await post(wrong)
    assert.match((await post('not JSON')).message, /requests from this address failed/)
  })

  it('do not include requests to unknown paths', async () => {
    const { post } = await openLive()
    for (let failed = 0; failed < 599; failed++) await post('not JSON')
    for (let sent = 0; sent < 3; sent++) assert.equal((await post('', HERE, '/nowhere')).status, 404)
    assert.equal((await post('not JSON')).code, '99996')
    assert.equal((await post('not JSON')).status, 429)
  })

  it('do not block an address with a valid signature within the last ten minutes', () => {
    const clock = movableClock()
    const limits = clientLimits('live', clock)
    const [signer, neighbour] = ['2001:db8::1', '2001:db8::2']
    limits.takeRequest(1, signer)
    clock.pass(30_000)
    limits.takeRequest(1, signer)
    clock.pass(9.5 * 60_000)
    for (let failed = 0; failed < 600; failed++) limits.requestFailed(neighbour)
    clock.pass(29_999)
    assert.equal(limits.blockedSeconds(neighbour), 0)
    clock.pass(1)
    assert.equal(limits.blockedSeconds(neighbour), 30)
    limits.takeRequest(1, signer)
    assert.equal(limits.blockedSeconds(neighbour), 0)
  })
})

it('in live a merchant has 500 requests a second', async () => {
  const { clock, post } = await openLive()
  const query = signed({ merNo: 100001 }, ['merNo', 'version'])
  const ask = (body: JsonBody) => post(body, HERE, '/balance/query')
  for (let sent = 0; sent < 500; sent++) assert.equal((await ask(query)).status, 200)
  const over = await ask({ ...query, version: '' })
  assert.deepEqual(
    { status: over.status, code: over.code, retryAfter: over.retryAfter },
    { status: 429, code: '10107', retryAfter: '1' },
  )
  clock.pass(1_000)
  assert.equal((await ask(query)).status, 200)
})

it('in sandbox nothing is counted', async () => {
  const { post } = await buildFrame()
  for (let failed = 0; failed < 61; failed++) assert.equal((await post('/payment', wrong)).body.code, '10015')
  for (let failed = 0; failed < 601; failed++) assert.equal((await post('/payment', 'x')).body.code, '99996')
})

it('strangers cannot fill the memory or evict a merchant with valid signatures', () => {
  const limits = clientLimits('live', movableClock())
  const fail = (address: string) => {
    for (let failed = 0; failed < 600; failed++) limits.requestFailed(address)
  }
  limits.takeRequest(1, 'merchant')
  fail('merchant')
  fail('first')
  fail('second')
  for (let stranger = 0; stranger < 9_998; stranger++) limits.requestFailed(`stranger ${stranger}`)
  assert.equal(limits.blockedSeconds('first'), 60)
  limits.requestFailed('one more')
  assert.equal(limits.blockedSeconds('first'), 0, 'the oldest entry is evicted')
  assert.equal(limits.blockedSeconds('second'), 60)
  fail('merchant')
  assert.equal(limits.blockedSeconds('merchant'), 0)
})
