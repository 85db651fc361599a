// Tests the starter bridge in hard conditions: it is killed before its callback arrives, it is behind a proxy with a
// path, or it is asked for the statement of a past day.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openCallbackReceiver } from '../../../test/counterparties/callback-receiver.ts'
import {
  BRIDGE_SECRET,
  type StarterBridge,
  startStarterBridge,
} from '../../../test/counterparties/starter-bridge.ts'
import { eventually } from '../../../test/harness/eventually.ts'
import { isObject } from '../../platform/base/object.ts'
import { type Caller, openCaller } from './open-caller.ts'

const money = { amount: '1250', currency: 'USD' }
const nowhere = 'http://127.0.0.1:1/'
let bridge: StarterBridge
let call: Caller['call']
before(async () => {
  bridge = await startStarterBridge()
  call = openCaller({ url: bridge.url, secret: BRIDGE_SECRET }).call
})
after(() => bridge.close())

async function pay(reference: string, callbackUrl = nowhere) {
  const urls = { returnUrl: nowhere, callbackUrl }
  assert.equal((await call('open', { reference, ...money, payee: 'Shop', ...urls })).status, 200)
  assert.equal((await call('simulate', { reference, event: 'pay' })).status, 200)
}

async function statement() {
  const { body } = await call('statement', { day: new Date().toISOString().slice(0, 10) })
  assert.ok(isObject(body) && Array.isArray(body.lines))
  return body.lines
}

test('a callback that nobody acknowledged before it was killed is sent after the restart, an acknowledged one is not', async () => {
  const receiver = await openCallbackReceiver()
  const about = (reference: string) =>
    receiver.received().filter(({ body }) => body.includes(reference)).length
  receiver.answerWith(async ({ body }) => ({ status: body.includes('KEPT') ? 200 : 503, type: '', body: '' }))
  await pay('KEPT', receiver.url)
  await pay('LOST', receiver.url)
  assert.ok(await eventually(() => about('KEPT') === 1 && about('LOST') === 1))
  await bridge.restart()
  assert.ok(await eventually(() => about('LOST') === 2))
  assert.equal(about('KEPT'), 1)
  await receiver.close()
})

test('a statement does not change when a payout comes back, or a dispute is won', async () => {
  await pay('S1')
  await call('simulate', { reference: 'S1', event: 'dispute' })
  const payout = { reference: 'SP1', kind: 'spei', ...money, account: '1', beneficiary: {} }
  await call('send', payout)
  const isPaid = async () => (await statement()).some((line) => isObject(line) && line.reference === 'SP1')
  assert.ok(await eventually(isPaid))
  const before = await statement()
  await call('simulate', { reference: 'SP1', event: 'return' })
  await call('simulate', { reference: 'S1', event: 'dispute', stage: 'won' })
  assert.deepEqual(await statement(), before)
})

test('it works behind a path, which is signed too', async () => {
  const behind = openCaller({ url: `${bridge.url}/tollgate`, secret: BRIDGE_SECRET })
  assert.equal((await behind.call('ping', {})).status, 200)
  const reply = await behind.callWith('ping', '{}', { path: '/v1/ping' })
  assert.equal(reply.kind === 'answer' && reply.status, 401)
})

test('neither a card nor a token is in its book or its answers, and rubbish is refused', async () => {
  const charge = (reference: string, card: unknown) =>
    call('authorise', { merchantReference: reference, ...money, card })
  const number = '4242424242424242'
  const answers = [
    await charge('CARD1', { number }),
    await charge('CARD2', { token: `{"secret":"${number}"}` }),
  ]
  for (const { status, body } of answers) {
    assert.equal(status, 200)
    assert.ok(!JSON.stringify(body).includes(number))
  }
  assert.ok(!bridge.readBook().includes(number))
  for (const card of [undefined, null, 'x', [], {}, { token: 1 }, { token: 'x' }, { number: '42' }])
    assert.equal((await charge('CARD3', card)).status, 400, JSON.stringify(card))
  const extra = {
    reference: 'X1',
    ...money,
    payee: 'Shop',
    returnUrl: nowhere,
    callbackUrl: nowhere,
    extra: 'x',
  }
  assert.equal((await call('open', extra)).status, 400)
})
