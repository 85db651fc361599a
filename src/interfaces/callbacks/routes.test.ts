import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aPayment } from '../../../test/builders/builders.ts'
import { scriptedChannel } from '../../../test/counterparties/scripted-channel.ts'
import { openCallbacks } from '../../../test/harness/callbacks.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import { findPayment } from '../../money/order-queries/find-payment.ts'
import type { NewPayment } from '../../money/orders/new-order.ts'
import { attemptReference } from '../../money/orders/order.ts'
import { acceptPayments } from '../../money/payments/accept-payments.ts'
import { openDb } from '../../platform/postgres/db.ts'
import type { Callback, Channel, Outcome } from '../../rails/contract/channel.ts'

const database = useDatabase()

const success: Outcome = { kind: 'succeeded', money: { amount: 1000n, currency: 'USD' }, channelRef: 'c' }

/**
 * Makes a channel that accepts only a body such as `open REFERENCE`. The channel then reports a success of REFERENCE.
 */
function hearing(name: string, seen: Callback[]): Channel {
  return {
    ...scriptedChannel(name),
    async readCallback(callback) {
      seen.push(callback)
      const [word, reference = ''] = callback.body.split(' ')
      const answer = { status: word === 'open' ? 200 : 401, type: 'text/plain', body: word ?? '' }
      if (word !== 'open') return { kind: 'refused', why: 'it does not know the word', answer }
      return { kind: 'accepted', reports: [{ reference, outcome: success }], answer }
    },
  }
}

const failing: Channel = {
  ...scriptedChannel('failing'),
  readCallback: async () => {
    throw new Error('a secret of the database')
  },
}

async function open(baseUrl?: string) {
  const seen: Callback[] = []
  const channels = [failing, hearing('card', seen), hearing('other', seen), scriptedChannel('mute')]
  return { ...openCallbacks(database.db, channels, [], baseUrl), seen }
}

async function accepted(): Promise<NewPayment> {
  const payment = aPayment({ merNo: 41_000_001 })
  await acceptPayments(database.db, [payment])
  return payment
}

const stateOf = async (payment: NewPayment) => (await findPayment(database.db, payment))?.state

test('an authentic callback is recorded before the response, and once however often it comes', async () => {
  const { post, alarms } = await open()
  const payment = await accepted()
  const reference = attemptReference(payment.tradeNo, 1)
  for (const _ of [1, 2]) {
    const answer = await post('/callbacks/card', `open ${reference}`)
    assert.equal(answer.statusCode, 200)
    assert.equal(await stateOf(payment), 5)
  }
  assert.deepEqual(alarms, [])
})

test('a callback that is not authentic changes nothing', async () => {
  const { post } = await open()
  const payment = await accepted()
  const answer = await post('/callbacks/card', `guess ${attemptReference(payment.tradeNo, 1)}`)
  assert.equal(answer.statusCode, 401)
  assert.equal(await stateOf(payment), 1)
})

test("a report about another channel's attempt, or an unknown one, raises an alarm and changes nothing", async () => {
  const { post, alarms } = await open()
  const payment = await accepted()
  const foreign = [attemptReference(payment.tradeNo, 1), attemptReference(payment.tradeNo, 2), 'nonsense']
  for (const reference of foreign) await post('/callbacks/other', `open ${reference}`)
  assert.equal(alarms.length, 3)
  assert.equal(await stateOf(payment), 1)
})

test('the channel gets the public path, even if a proxy removed a part, and the unchanged message', async () => {
  const { post, seen } = await open('https://pay.example/gate')
  await post('/callbacks/card/pix?hmac=a%20b&x=1', '{"a": 1}', 'application/json; charset=utf-8')
  await post('/callbacks/card', 'a=b&c=d', 'application/x-www-form-urlencoded')
  assert.deepEqual(
    seen.map(({ path, query, body }) => [path, query, body]),
    [
      ['/gate/callbacks/card/pix', 'hmac=a%20b&x=1', '{"a": 1}'],
      ['/gate/callbacks/card', '', 'a=b&c=d'],
    ],
  )
})

test('an unknown channel, or one without callbacks, is not found, and a long message is refused', async () => {
  const { post, seen } = await open()
  for (const name of ['mute', 'nobody', '__proto__'])
    assert.equal((await post(`/callbacks/${name}`, 'open x')).statusCode, 404)
  assert.equal((await post('/callbacks/card', 'x'.repeat(70_000))).statusCode, 413)
  assert.deepEqual(seen, [])
})

test('a callback that fails is logged with its reason, and answered without it', async () => {
  const { post, logged } = await open()
  const answer = await post('/callbacks/failing', 'open x')
  assert.equal(answer.statusCode, 500)
  assert.equal(answer.body, 'not received')
  assert.equal(logged.length, 1)
  assert.match(logged[0] ?? '', /"a callback failed"/)
  assert.match(logged[0] ?? '', /a secret of the database/)
})

test('a callback in an outage of the database is refused for the moment', async (t) => {
  const nowhere = openDb({ connection: { host: '127.0.0.1', port: 1 }, maxConnections: 1 })
  t.after(() => nowhere.close())
  const { post, logged } = openCallbacks(nowhere, [hearing('card', [])])
  const answer = await post(
    '/callbacks/card',
    `open ${attemptReference(aPayment({ merNo: 41_000_001 }).tradeNo, 1)}`,
  )
  assert.deepEqual(
    { status: answer.statusCode, retryAfter: answer.headers['retry-after'] },
    { status: 503, retryAfter: '5' },
  )
  assert.equal(answer.body, 'not received')
  assert.deepEqual(logged, [])
})
