// Runs the contract tests of channels and rails with the starter bridge, which also passes `bridge check`. A proxy
// drops the answers that must be lost.
import assert from 'node:assert/strict'
import { testChannelContract, testChannelVariant } from '../../../test/contracts/channel-contract.ts'
import { type Behaviour, type ChannelDriver, sentByPayers } from '../../../test/contracts/channel-driver.ts'
import { testPayoutContract } from '../../../test/contracts/payout-contract.ts'
import type { PayoutDriver } from '../../../test/contracts/payout-driver.ts'
import { forgeBankMessage, makeRequest, SECRET, signAgain } from '../../../test/contracts/sandbox-driver.ts'
import { openCallbackReceiver } from '../../../test/counterparties/callback-receiver.ts'
import { connectChannel, toolsWith } from '../../../test/counterparties/connect-entry.ts'
import { type Fault, openFaultyProxy, type ProxyAnswer } from '../../../test/counterparties/faulty-proxy.ts'
import { startStarterBridge } from '../../../test/counterparties/starter-bridge.ts'
import type { Money } from '../../platform/base/money.ts'
import { isObject } from '../../platform/base/object.ts'
import type { Callback, Channel, PayerAction } from '../contract/channel.ts'
import type { Method } from '../methods/methods.ts'
import type { Terminal } from '../methods/terminal.ts'
import { createBankRail } from '../protocols/bridge/payout/bank-rail.ts'
import { httpTransport } from '../toolkit/transport.ts'
import { openCaller } from './open-caller.ts'

const PATIENT_MS = 60_000

testChannelContract('the starter bridge, Alipay', () => openDriver('alipay', 'CNY', 'WEB'))
testChannelContract('the starter bridge, Pix', () => openDriver('pix', 'BRL', 'WEB'))
testChannelVariant("the starter bridge, WeChat Pay in the merchant's app", () =>
  openDriver('wechat', 'CNY', 'APP'),
)
testPayoutContract('the starter bridge', openPayoutDriver)

async function openDriver(method: Method, currency: string, terminal: Terminal): Promise<ChannelDriver> {
  const bridge = await startStarterBridge({ BRIDGE_SECRET: SECRET })
  const proxy = await openFaultyProxy(bridge.url)
  const receiver = await openCallbackReceiver()
  const behaviours = new Map<string, Behaviour>()
  proxy.meet(loseBy(behaviours), (path) => path === '/v1/open')
  const within = (timeoutMs: number) => channelTo(proxy.url, method, timeoutMs)
  const channel = within(PATIENT_MS)
  receiver.answerWith(async (callback) => (await channel.readCallback?.(callback))?.answer ?? assert.fail())
  const { call } = openCaller({ url: bridge.url, secret: SECRET })
  const money = { amount: 1_250n, currency }
  const pageOf = (action: PayerAction) =>
    action.kind === 'app' ? `${bridge.url}/pay/${JSON.parse(action.sdkParams).payment}` : payerPage(action)
  return {
    channel,
    within,
    request(behaviour, reference) {
      behaviours.set(reference, behaviour)
      // The starter bridge's rail does not support this currency, so the bridge refuses the request.
      const wanted = behaviour === 'refused' ? { amount: 1_250n, currency: 'JPY' } : money
      return { ...makeRequest({ method, money, terminal }, 'pays', reference, receiver.url), money: wanted }
    },
    act: (action, deed) => press(pageOf(action), deed),
    ...(sentByPayers.includes(method) && {
      async send(action: PayerAction, amount: bigint) {
        const reference = 'reference' in action ? action.reference : undefined
        const { status } = await call('simulate', { reference, event: 'pay', amount: amount.toString() })
        assert.equal(status, 200)
      },
    }),
    push: {
      kind: 'callback',
      believes: 'signature',
      received: receiver.received,
      forge: method === 'pix' ? forgeDeposits : forgeBankMessage,
    },
    refusedRefund: { amount: 666n, currency },
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

/** Changes only the amounts of the deposits. The charge's amount must stay, because a Pix code contains it. */
function forgeDeposits(callback: Callback, { amount }: Money): Callback {
  const charge = JSON.parse(callback.body)
  const deposits = charge.deposits.map((deposit: object) => ({ ...deposit, amount: amount.toString() }))
  return signAgain(callback, JSON.stringify({ ...charge, deposits }))
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
    // Nothing to do: the contract tests repeat `ask` until the payout is decided.
    decide: async () => {},
    statesReturn: true,
    async giveBack(reference) {
      assert.equal((await call('simulate', { reference, event: 'return' })).status, 200)
    },
    async giveBackPart(reference, amount) {
      const body = { reference, event: 'return', amount: amount.toString() }
      assert.equal((await call('simulate', body)).status, 200)
    },
    async countPaid(reference) {
      const { body } = await call('lookup', { reference })
      return isObject(body) && body.status === 'succeeded' ? 1 : 0
    },
    forge: {
      amount: (answer, { amount, currency }) => withFields(answer, { amount: amount.toString(), currency }),
      state: (answer) => withFields(answer, { status: 'on_hold' }),
      currency: (answer, currency) => withFields(answer, { currency }),
    },
    received: receiver.received,
    forgeCallback: (callback, currency) =>
      signAgain(callback, JSON.stringify({ ...JSON.parse(callback.body), currency })),
    async close() {
      await receiver.close()
      await bridge.close()
    },
  }
}

function withFields(answer: ProxyAnswer, fields: Readonly<Record<string, string>>): ProxyAnswer {
  return { ...answer, body: JSON.stringify({ ...JSON.parse(answer.body), ...fields }) }
}

function channelTo(url: string, method: Method, timeoutMs: number): Channel {
  const entry = { name: 'starter', protocol: 'bridge', method, url, secret: SECRET }
  return connectChannel(entry, method, toolsWith({ timeoutMs }))
}

function loseBy(behaviours: ReadonlyMap<string, Behaviour>): Fault {
  return async (forward, { body }) => {
    const behaviour = behaviours.get(String(JSON.parse(body).reference))
    if (behaviour === 'silent-and-not-opened') return 'silence'
    const answer = await forward()
    return behaviour === 'silent-but-opened' ? 'silence' : answer
  }
}

function payerPage(action: PayerAction): string {
  if (action.kind === 'redirect') return action.url
  assert.ok('appUrl' in action && action.appUrl !== undefined)
  return action.appUrl
}

/** Presses a button on the bridge's page, as the payer does. */
async function press(url: string, deed: 'approve' | 'decline') {
  const page = await (await fetch(url)).text()
  assert.ok(page.includes(deed === 'approve' ? 'Approve payment' : 'Decline payment'))
  const response = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams({ decision: deed }),
    redirect: 'manual',
  })
  assert.equal(response.status, 303)
  return {}
}
