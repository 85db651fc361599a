import { signEvent } from '../../../../sandbox/stripe/events.ts'
import { mountStripe } from '../../../../sandbox/stripe/mount.ts'
import { evasionsOf, withFields } from '../../../../test/builders/forged-answers.ts'
import { testChannelVariant, testProtocolContract } from '../../../../test/contracts/channel-contract.ts'
import { type Behaviour, type ChannelDriver, secretsIn } from '../../../../test/contracts/channel-driver.ts'
import { makeRequest } from '../../../../test/contracts/sandbox-driver.ts'
import { openCallbackReceiver } from '../../../../test/counterparties/callback-receiver.ts'
import { connectChannel, toolsWith } from '../../../../test/counterparties/connect-entry.ts'
import { decideOn, openMounted } from '../../../../test/counterparties/mounted.ts'
import { cloneDatabase } from '../../../../test/harness/harness.ts'
import { systemClock } from '../../../platform/base/clock.ts'
import type { Callback, PayerAction } from '../../contract/channel.ts'
import type { ChannelTools } from '../../contract/settings.ts'
import type { Method } from '../../methods/methods.ts'
import { openStore } from '../../toolkit/records/store.ts'

testProtocolContract('Stripe, cards', () => openDriver('card', 'USD'))
testChannelVariant('Stripe, Alipay', () => openDriver('alipay', 'CNY'))
testChannelVariant('Stripe, WeChat Pay', () => openDriver('wechat', 'CNY'))
testChannelVariant('Stripe, Cash App', () => openDriver('cash_app', 'USD'))
testChannelVariant('Stripe, Pix', () => openDriver('pix', 'BRL'))

const cards: Readonly<Record<Behaviour, string>> = {
  pays: '4242424242424242',
  declines: '4000000000000002',
  waits: '4000000000003220',
  'silent-but-opened': '4000000000000119',
  'silent-and-not-opened': '4000000000006975',
  refused: '4242424242424242',
}

async function openDriver(method: Method, currency: string): Promise<ChannelDriver> {
  const { counterparty, entry, close } = await openMounted(mountStripe)
  const callbacks = await openCallbackReceiver()
  await setEndpoint(entry, callbacks.url)
  const database = await cloneDatabase()
  const storeOf = (channel: string) => openStore({ db: database.db, clock: systemClock }, channel)
  const connect = (changes: object, more: Partial<ChannelTools> = {}) =>
    connectChannel({ ...entry, ...changes }, method, toolsWith({ timeoutMs: 60_000, storeOf, ...more }))
  const within = (timeoutMs: number) => connect({}, { timeoutMs })
  const channel = within(60_000)
  callbacks.answerWith(async (callback) => {
    const handled = await channel.readCallback?.(callback)
    return handled?.answer ?? { status: 404, type: 'text/plain', body: '' }
  })
  const money = { amount: 1_250n, currency }
  return {
    channel,
    within,
    request(behaviour, reference) {
      const isAmount = method !== 'card' || behaviour === 'refused'
      const request = makeRequest({ method, money }, isAmount ? behaviour : 'pays', reference, callbacks.url)
      return method === 'card' ? { ...request, card: cardOf(cards[behaviour]) } : request
    },
    act: (action, deed) => decideOn(pageOf(action), deed),
    takesExactAmount: true,
    push: {
      kind: 'callback',
      believes: 'asking',
      received: callbacks.received,
      forge(callback, { amount }) {
        const event = JSON.parse(callback.body)
        Object.assign(event.data.object, {
          amount: Number(`${amount}`),
          amount_received: Number(`${amount}`),
        })
        return signed(callback, JSON.stringify(event), String(entry.webhookSecret))
      },
    },
    refusedRefund: { amount: 666n, currency },
    faults: {
      url: String(entry.url),
      connect: ({ url = entry.url, clock = systemClock }) => connect({ url }, { clock }),
      connectAsStranger: () => connect({ secretKey: 'sk_test_expired' }),
      secrets: secretsIn(entry),
      evasions: evasionsOf(
        [429, { error: { type: 'invalid_request_error', code: 'lock_timeout' } }],
        [500, { error: { type: 'api_error' } }],
        [400, { error: { type: 'api_error' } }],
      ),
      forge: {
        state: (answer) => withFields(answer, { status: () => 'requires_luck' }),
        money: (answer, other) => {
          const amount = () => Number(`${other.amount}`)
          const currency = () => other.currency.toLowerCase()
          return withFields(answer, { amount, amount_received: amount, currency })
        },
      },
    },
    isCharged: async (reference) => counterparty.account.findByOrder(reference)?.status === 'succeeded',
    async close() {
      await callbacks.close()
      await close()
      await database.drop()
    },
  }
}

function cardOf(number: string) {
  return { number, expiryMonth: '4', expiryYear: '39', securityCode: '123' }
}

async function setEndpoint(entry: Readonly<Record<string, unknown>>, url: string): Promise<void> {
  const headers = { authorization: `Bearer ${entry.secretKey}` }
  await fetch(`${entry.url}/webhook_endpoints`, {
    method: 'POST',
    headers,
    body: new URLSearchParams({ url }),
  })
}

/** Returns the address of the counterparty's page. A QR code contains this address, which a phone would open. */
function pageOf(action: PayerAction): string {
  if (action.kind === 'redirect') return action.url
  return action.kind === 'qr' ? action.qrCode : ''
}

function signed(callback: Callback, body: string, secret: string): Callback {
  return {
    ...callback,
    body,
    headers: { ...callback.headers, 'stripe-signature': signEvent(body, secret, new Date()) },
  }
}
