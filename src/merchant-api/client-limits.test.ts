import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aCardPayment, buildFrame, signed } from '../../test/merchant-frame.ts'
import { clientLimits } from './client-limits.ts'

function movableClock() {
  let now = Date.parse('2026-01-01T00:00:00Z')
  return {
    now: () => new Date(now),
    pass: (ms: number) => {
      now += ms
    },
  }
}

test('in live an address with 60 wrong signatures within a minute is answered 429 before anything else', async () => {
  const clock = movableClock()
  const { post } = await buildFrame({ mode: 'live', clock })
  const wrong = { ...aCardPayment(), sign: '0'.repeat(32) }
  for (let failed = 0; failed < 60; failed++) assert.equal((await post('/payment', wrong)).body.code, '10015')
  const blocked = await post('/payment', 'not JSON')
  assert.deepEqual([blocked.status, blocked.body.code, blocked.headers['retry-after']], [429, '10107', '60'])
  assert.equal((await post('/payment', signed(aCardPayment()))).status, 429)
  clock.pass(60_000)
  assert.equal((await post('/payment', signed(aCardPayment()))).status, 200)
})

test('in live a merchant has 500 requests a second', async () => {
  const clock = movableClock()
  const { post } = await buildFrame({ mode: 'live', clock })
  const query = signed({ merNo: 100001 }, ['merNo', 'version'])
  for (let sent = 0; sent < 500; sent++) assert.equal((await post('/balance/query', query)).status, 200)
  const over = await post('/balance/query', { ...query, version: '' })
  assert.deepEqual([over.status, over.body.code, over.headers['retry-after']], [429, '10107', '1'])
  clock.pass(1_000)
  assert.equal((await post('/balance/query', query)).status, 200)
})

test('in sandbox nothing is counted', async () => {
  const { post } = await buildFrame()
  const wrong = { ...aCardPayment(), sign: '0'.repeat(32) }
  for (let failed = 0; failed < 61; failed++) assert.equal((await post('/payment', wrong)).body.code, '10015')
})

test('strangers cannot fill the memory: the one counted longest is forgotten', () => {
  const limits = clientLimits('live', movableClock())
  const block = (address: string) => {
    for (let failed = 0; failed < 60; failed++) limits.signatureFailed(address)
  }
  block('first')
  block('second')
  for (let stranger = 0; stranger < 9_999; stranger++) limits.signatureFailed(`stranger ${stranger}`)
  assert.equal(limits.isAddressBlocked('first'), false)
  assert.equal(limits.isAddressBlocked('second'), true)
})
