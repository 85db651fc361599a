// Drives the Adyen channel against the sandbox's Adyen: real HTTP, and the channel's records in a real database.
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import fastify from 'fastify'
import type { Payment } from '../../sandbox/adyen/book.ts'
import { REFUSED, SILENT_AND_NOT_OPENED, SILENT_BUT_OPENED } from '../../sandbox/adyen/checkout.ts'
import { type AdyenCounterparty, mountAdyen } from '../../sandbox/adyen/mount.ts'
import { readRedirectResult, writeRedirectResult } from '../../sandbox/adyen/redirect-result.ts'
import { notification } from '../../sandbox/adyen/signature.ts'
import { isPaid } from '../../src/money/orders/open-attempts.ts'
import { type Clock, systemClock } from '../../src/platform/base/clock.ts'
import type { Money } from '../../src/platform/base/money.ts'
import type {
  AttemptRef,
  Callback,
  Channel,
  Outcome,
  PayerAction,
  StartRequest,
} from '../../src/rails/contract/channel.ts'
import type { Connection } from '../../src/rails/contract/protocol.ts'
import type { ChannelSettings } from '../../src/rails/contract/settings.ts'
import type { ChannelStore } from '../../src/rails/contract/store.ts'
import { connectAdyen } from '../../src/rails/protocols/adyen/adyen.ts'
import type { AdyenMethod } from '../../src/rails/protocols/adyen/payment-request.ts'
import { openStore } from '../../src/rails/toolkit/records/store.ts'
import { evasionsOf, withFields } from '../builders/forged-answers.ts'
import {
  type Answer,
  type Behaviour,
  type ChannelDriver,
  type FaultAccess,
  makeReference,
  secretsIn,
  sentByPayers,
} from '../contracts/channel-driver.ts'
import { COMPLETE_URL, makeRequest } from '../contracts/sandbox-driver.ts'
import { eventually } from '../harness/eventually.ts'
import { cloneDatabase, type TestDatabase } from '../harness/harness.ts'
import { type CallbackReceiver, openCallbackReceiver } from './callback-receiver.ts'
import { toolsWith } from './connect-entry.ts'

export type AdyenWorld = {
  readonly adyen: AdyenCounterparty
  readonly url: string
  readonly receiver: CallbackReceiver
  readonly store: ChannelStore
  readonly database: TestDatabase
  readonly clock: Clock
  pass(ms: number): void
  /** Returns the settings of an entry with these methods and payouts to bank accounts. */
  settings(...methods: readonly AdyenMethod[]): ChannelSettings
  connect(settings: ChannelSettings, timeoutMs?: number, clock?: Clock, store?: ChannelStore): Connection
  channel(method: AdyenMethod, timeoutMs?: number): Channel
  /** Returns the alarms about the reference so far. */
  alarmsAbout(reference: string): readonly string[]
  /** Waits until every webhook so far was acknowledged. */
  delivered(): Promise<void>
  close(): Promise<void>
}

const PATIENT_MS = 60_000
const GRACE_MS = 150

export async function openAdyenWorld(): Promise<AdyenWorld> {
  const database = await cloneDatabase()
  const app = fastify({ forceCloseConnections: true })
  let url = ''
  const place = { app, folder: '', url: () => url, secret: 'a secret for tests', clock: systemClock }
  const adyen = mountAdyen({ ...place, minuteMs: 60_000 })
  await app.listen({ host: '127.0.0.1', port: 0 })
  url = `http://127.0.0.1:${portOf(app.server.address())}`
  const receiver = await openCallbackReceiver()
  adyen.webhooks.address = receiver.url
  const store = openStore({ db: database.db, clock: systemClock }, 'adyen')
  const alarms: [reference: string, what: string][] = []
  const used = new Map<string, string>()
  let passedMs = 0
  const clock = { now: () => new Date(Date.now() + passedMs) }
  const world: AdyenWorld = {
    adyen,
    url,
    receiver,
    store,
    database,
    clock,
    pass: (ms) => {
      passedMs += ms
    },
    settings(...methods) {
      const [entry] = adyen.settings()
      assert.ok(entry !== undefined)
      return { ...entry, protocol: 'adyen', methods, payoutKinds: ['bank_account'] }
    },
    connect: (settings, timeoutMs = PATIENT_MS, now = clock, memory = store) =>
      connectAdyen(
        settings,
        toolsWith({
          clock: now,
          timeoutMs,
          storeOf: () => memory,
          alarm: (about, what) => alarms.push([about, what]),
          isPaid: (attempt) => isPaid(database.db, attempt),
          async useToken({ tokenId }, reference) {
            used.set(tokenId, used.get(tokenId) ?? reference)
            return used.get(tokenId) === reference
          },
        }),
        GRACE_MS,
      ),
    channel(method, timeoutMs) {
      const [channel] = world.connect(world.settings(method), timeoutMs).channels
      assert.ok(channel !== undefined)
      return channel
    },
    alarmsAbout: (reference) => alarms.flatMap(([about, what]) => (about === reference ? [what] : [])),
    async delivered() {
      assert.ok(await eventually(() => adyen.webhooks.isIdle()), 'webhooks wait')
    },
    async close() {
      await world.delivered()
      await adyen.close()
      await receiver.close()
      await app.close()
      await database.drop()
    },
  }
  receiver.answerWith(async (callback) => {
    const read = await world.channel('card').readCallback?.(callback)
    return read?.answer ?? assert.fail()
  })
  return world
}

function portOf(address: AddressInfo | string | null): number {
  assert.ok(typeof address === 'object' && address !== null)
  return address.port
}

export type AdyenDriverOptions = { readonly method: AdyenMethod; readonly money: Money }

/**
 * The methods that charge a card. The bank decides after the payer's return, and the payer's browser brings the proof.
 */
const byCard: readonly AdyenMethod[] = ['card', 'apple_pay', 'google_pay']

/** The person that Pix asks for. */
const person = { details: { name: 'Ana Souza' }, personal: { socialSecurityNumber: '12345678909' } }

export const cards = { pays: '4111111111111111', challenged: '4212345678910006' } as const

/** Returns the request of a card payment. Adyen declines a test card whose holder is named `DECLINED`. */
export function cardRequest(
  money: Money,
  {
    number = cards.pays,
    holder = 'Ada',
    reference,
  }: { number?: string; holder?: string; reference?: string },
): StartRequest {
  const card = { number, expiryMonth: '3', expiryYear: '30', securityCode: '737' }
  const details = { userAgent: 'a browser', billingFirstName: holder, billingCountry: 'NL' }
  return { ...makeRequest({ method: 'card', money, details }, 'pays', reference), card }
}

/** Opens a card payment at Adyen that the gateway did not start. */
export function openCaptured({ adyen }: AdyenWorld, { reference, money }: AttemptRef): Payment {
  const amount = { value: Number.parseInt(`${money.amount}`, 10), currency: money.currency }
  return adyen.book.open({ reference, type: 'scheme', amount, returnUrl: '', isCaptured: true })
}

/** Makes a payment, then a second payment at Adyen that is authorised with the same reference. */
export async function payTwice(world: AdyenWorld, money: Money, reference = makeReference()) {
  const paid = await world.channel('card').start(cardRequest(money, { reference }))
  assert.equal(paid.kind, 'succeeded')
  await world.delivered()
  const second = openCaptured(world, { reference, money })
  world.adyen.book.authorise(second)
  await world.delivered()
  return { request: { reference, money }, paid, second }
}

export async function openAdyenDriver({ method, money }: AdyenDriverOptions): Promise<ChannelDriver> {
  const world = await openAdyenWorld()
  const { adyen } = world
  const act = async (action: PayerAction, form: Answer) => {
    const answer = await visit(world, action, form)
    await world.delivered()
    return answer
  }
  const isCard = byCard.includes(method)
  // Only SEPA payers transfer to Adyen's account; every other method takes the exact amount.
  const isSent = method === 'sepa'
  return {
    channel: ending(world, world.channel(method)),
    within: (timeoutMs) => ending(world, world.channel(method, timeoutMs)),
    request: (behaviour, reference) => requestFor(method, money, behaviour, reference),
    act: (action, decision) => act(action, { decision }),
    ...(isSent && {
      async send(action: PayerAction, amount: bigint) {
        await act(action, { decision: 'approve', value: amount.toString() })
      },
    }),
    ...(sentByPayers.includes(method) && !isSent && { takesExactAmount: true }),
    ...(!isCard && { returnsActionOnce: true }),
    push: isCard
      ? { kind: 'browser', forge: async (answer, other) => forgeReturn(adyen, answer, other) }
      : {
          kind: 'callback',
          // The signature of an item covers only eight of its fields, so the channel compares the item with what it
          // already knows.
          believes: 'asking',
          received: world.receiver.received,
          forge: (callback, other) => forgeItem(adyen, callback, other),
        },
    refusedRefund: { amount: 666n, currency: money.currency },
    faults: faultsAt(world, method),
    isCharged: async (reference) => adyen.book.findByReference(reference)?.status === 'authorised',
    close: world.close,
  }
}

export const OFFER_MS = 12 * 3_600_000

/**
 * Wraps the channel so that payments end, as the contract requires. At Adyen, a payment that could not be cancelled
 * ends when its offer has expired.
 */
function ending(world: AdyenWorld, channel: Channel): Channel {
  const untilEnded =
    <Request>(call: (request: Request) => Promise<Outcome>) =>
    async (request: Request) => {
      const outcome = await call(request)
      if (outcome.kind !== 'unknown' || outcome.isAnswered !== true) return outcome
      world.pass(OFFER_MS)
      return call(request)
    }
  return { ...channel, ask: untilEnded(channel.ask), cancel: untilEnded(channel.cancel) }
}

function faultsAt(world: AdyenWorld, method: AdyenMethod): FaultAccess {
  const settings = world.settings(method)
  const channelOf = (changes: object, clock?: Clock) =>
    ending(world, world.connect({ ...settings, ...changes }, undefined, clock).channels[0] ?? assert.fail())
  return {
    url: String(settings.url),
    connect: ({ url = settings.url, clock }) => channelOf({ url }, clock),
    connectAsStranger: () => channelOf({ apiKey: 'expired' }),
    secrets: secretsIn(settings),
    evasions: evasionsOf(
      [429, { status: 429, errorCode: '000', errorType: 'internal' }],
      [500, { status: 500, errorCode: '000', errorType: 'internal' }],
      [422, { status: 422, errorCode: '704', errorType: 'validation' }],
    ),
    forge: {
      state: (answer) => withFields(answer, { resultCode: () => 'Considered' }),
      money: (answer, { amount, currency }) =>
        withFields(answer, { amount: () => ({ value: Number(`${amount}`), currency }) }),
    },
    comesByMessage: true,
  }
}

const values: Partial<Record<Behaviour, number>> = {
  'silent-but-opened': SILENT_BUT_OPENED,
  'silent-and-not-opened': SILENT_AND_NOT_OPENED,
  refused: REFUSED,
}

function requestFor(
  method: AdyenMethod,
  money: Money,
  behaviour: Behaviour,
  reference: string,
): StartRequest {
  const wanted = { ...money, amount: BigInt(values[behaviour] ?? money.amount) }
  if (method === 'apple_pay' || method === 'google_pay')
    return { ...makeRequest({ method, money: wanted }, 'pays', reference), walletToken: tokenFor(behaviour) }
  if (method !== 'card') return makeRequest({ method, money: wanted, ...person }, 'pays', reference)
  return cardRequest(wanted, {
    reference,
    ...(behaviour === 'waits' && { number: cards.challenged }),
    ...(behaviour === 'declines' && { holder: 'DECLINED' }),
  })
}

/** Returns a new token: every payment on a device has its own. */
function tokenFor(behaviour: Behaviour): string {
  const data = { waits: 'CHALLENGED', declines: 'DECLINED' }[String(behaviour)] ?? 'PAYS'
  return JSON.stringify({ data, id: makeReference() })
}

/** Acts as the payer, and returns the parameters of the browser's return. */
export async function visit({ url }: AdyenWorld, action: PayerAction, form: Answer): Promise<Answer> {
  const body = new URLSearchParams(form)
  const response = await fetch(pageOf(url, action), { method: 'POST', body, redirect: 'manual' })
  assert.ok(response.status < 400, `the payer's page answered ${response.status}`)
  const location = response.headers.get('location')
  if (location === null) return {}
  assert.ok(location.startsWith(COMPLETE_URL), location)
  return Object.fromEntries(new URL(location).searchParams)
}

/** Returns the payer's page, as the documentation advises for a payer who has no app. */
function pageOf(url: string, action: PayerAction): string {
  if (action.kind === 'redirect') return action.url
  if (action.kind === 'qr') return action.qrCode
  return `${url}/adyen/payer/${action.kind === 'transfer' ? action.reference : ''}`
}

/** Forges the parameters of a return: another amount, with Adyen's valid signature. */
function forgeReturn({ secret }: AdyenCounterparty, answer: Answer, { amount }: Money): Answer {
  const result = readRedirectResult(answer.redirectResult ?? '', secret)
  assert.ok(result)
  return {
    redirectResult: writeRedirectResult({ ...result, value: Number.parseInt(`${amount}`, 10) }, secret),
  }
}

/** Forges a callback: the same item with another amount, with Adyen's valid signature. */
function forgeItem(
  { hmacKey }: AdyenCounterparty,
  callback: Callback,
  { amount, currency }: Money,
): Callback {
  const [wrapped] = JSON.parse(callback.body).notificationItems
  const { additionalData: _signature, success, ...item } = wrapped.NotificationRequestItem
  const forged = {
    ...item,
    success: success === 'true',
    amount: { value: Number.parseInt(`${amount}`, 10), currency },
  }
  return { ...callback, body: notification([forged], hmacKey) }
}
