// The starter bridge behind our own channel, in the contract suite of all adapters: what `bridge check` promises to the author
// of a bridge, the gateway finds in it. A proxy loses the answers that the suite wants to be lost.
import assert from 'node:assert/strict'
import { openCallbackReceiver } from '../../test/callback-receiver.ts'
import { testChannelContract } from '../../test/channel-contract.ts'
import type { Behaviour, ChannelDriver } from '../../test/channel-driver.ts'
import { type Fault, openFaultyProxy, type ProxyAnswer } from '../../test/faulty-proxy.ts'
import { testPayoutContract } from '../../test/payout-contract.ts'
import type { PayoutDriver } from '../../test/payout-driver.ts'
import { forgeBankMessage, makeRequest, SECRET } from '../../test/sandbox-driver.ts'
import { startStarterBridge } from '../../test/starter-bridge.ts'
import { isObject } from '../base/object.ts'
import { createBankChannel } from '../channels/bank/bank-channel.ts'
import { redirectTo } from '../channels/bank/redirect.ts'
import type { PayerAction } from '../channels/contract.ts'
import { methods } from '../channels/method.ts'
import { createBankRail } from '../channels/payout/bank-rail.ts'
import { httpTransport } from '../channels/transport.ts'
import { openCaller } from './open-caller.ts'

const money = { amount: 1_250n, currency: 'MXN' }
const PATIENT_MS = 60_000

testChannelContract('the starter bridge', openDriver)
testPayoutContract('the starter bridge', openPayoutDriver)

async function openDriver(): Promise<ChannelDriver> {
  const bridge = await startStarterBridge({ BRIDGE_SECRET: SECRET })
  const proxy = await openFaultyProxy(bridge.url)
  const receiver = await openCallbackReceiver()
  const behaviours = new Map<string, Behaviour>()
  proxy.meet(loseBy(behaviours), (path) => path === '/v1/open')
  const within = (timeoutMs: number) => channelTo(proxy.url, timeoutMs)
  const channel = within(PATIENT_MS)
  receiver.answerWith(async (callback) => (await channel.readCallback?.(callback))?.answer ?? assert.fail())
  const { call } = openCaller({ url: bridge.url, secret: SECRET })
  return {
    channel,
    within,
    request(behaviour, reference) {
      behaviours.set(reference, behaviour)
      // The starter's rail does not have this currency.
      const wanted = behaviour === 'refused' ? { amount: 1_250n, currency: 'JPY' } : money
      return {
        ...makeRequest({ method: 'cash_app', money }, 'pays', reference, receiver.url),
        money: wanted,
      }
    },
    act: press,
    push: {
      kind: 'callback',
      believes: 'signature',
      received: receiver.received,
      forge: forgeBankMessage,
    },
    refusedRefund: { amount: 666n, currency: 'MXN' },
    async isCharged(reference) {
      const { body } = await call('lookup', { reference })
      return isObject(body) && Array.isArray(body.deposits) && body.deposits.length > 0
    },
    async close() {
      await proxy.close()
      await receiver.close()
      await bridge.close()
    },
  }
}

async function openPayoutDriver(): Promise<PayoutDriver> {
  const bridge = await startStarterBridge({ BRIDGE_SECRET: SECRET })
  const receiver = await openCallbackReceiver()
  const { call } = openCaller({ url: bridge.url, secret: SECRET })
  const connectWith = (secret: string) => (url: string, timeoutMs: number) =>
    createBankRail({
      kinds: ['spei'],
      transport: httpTransport({ url, secret }),
      secret: SECRET,
      callbackUrl: receiver.url,
      timeoutMs,
    })
  const amounts = { pays: 1_250n, declines: 666n, refused: 0n }
  return {
    url: bridge.url,
    connect: connectWith(SECRET),
    connectAsStranger: connectWith('another secret'),
    request: (behaviour, reference) => ({
      reference,
      kind: 'spei',
      money: { amount: amounts[behaviour], currency: 'MXN' },
      beneficiary: { account: '032180000118359719', details: {} },
    }),
    // The contract asks until it is decided.
    decide: async () => {},
    async giveBack(reference) {
      assert.equal((await call('simulate', { reference, event: 'return' })).status, 200)
    },
    async countPaid(reference) {
      const { body } = await call('lookup', { reference })
      return isObject(body) && body.status === 'succeeded' ? 1 : 0
    },
    forge: {
      amount: (answer, { amount, currency }) => withFields(answer, { amount: amount.toString(), currency }),
      state: (answer) => withFields(answer, { status: 'on_hold' }),
    },
    received: receiver.received,
    async close() {
      await receiver.close()
      await bridge.close()
    },
  }
}

function withFields(answer: ProxyAnswer, fields: Readonly<Record<string, string>>): ProxyAnswer {
  return { ...answer, body: JSON.stringify({ ...JSON.parse(answer.body), ...fields }) }
}

function channelTo(url: string, timeoutMs: number) {
  return createBankChannel({
    name: 'starter',
    method: 'cash_app',
    // Cash App itself has no refunds; the bridge has.
    traits: { ...methods.cash_app, refundable: true },
    transport: httpTransport({ url, secret: SECRET }),
    secret: SECRET,
    timeoutMs,
    reports: 'exact',
    actionOf: redirectTo,
  })
}

function loseBy(behaviours: ReadonlyMap<string, Behaviour>): Fault {
  return async (forward, { body }) => {
    const behaviour = behaviours.get(String(JSON.parse(body).reference))
    if (behaviour === 'silent-and-not-opened') return 'silence'
    const answer = await forward()
    return behaviour === 'silent-but-opened' ? 'silence' : answer
  }
}

/** The payer presses a button on the bridge's page. */
async function press(action: PayerAction, deed: 'approve' | 'decline') {
  assert.equal(action.kind, 'redirect')
  const page = await (await fetch(action.url)).text()
  assert.ok(page.includes(deed === 'approve' ? 'Approve payment' : 'Decline payment'))
  const body = new URLSearchParams({ decision: deed })
  const response = await fetch(action.url, { method: 'POST', body, redirect: 'manual' })
  assert.equal(response.status, 303)
  return {}
}
