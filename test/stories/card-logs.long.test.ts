// A real gateway charges cards through Adyen, Stripe and a bridge, and cards inside Apple Pay and Google Pay tokens.
// Its counterparties work, decline, refuse, break connections and send nonsense, and their answers repeat the whole
// request. No card number, security code, token or credential may be in the log at level debug, the metrics, the tables
// or the back office.
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { mountAdyen } from '../../sandbox/adyen/mount.ts'
import type { ChannelEntry } from '../../sandbox/place.ts'
import { type Sandbox, startSandbox } from '../../sandbox/server.ts'
import { mountStripe } from '../../sandbox/stripe/mount.ts'
import { type AppleChain, makeAppleChain, makeAppleToken } from '../builders/apple-pay.ts'
import { makeGoogleKeys, makeGoogleToken, spki } from '../builders/google-pay.ts'
import { giveSandboxKeys } from '../builders/rsa-keys.ts'
import { type Fault, type FaultyProxy, openFaultyProxy } from '../counterparties/faulty-proxy.ts'
import { call, cardBody, newNumber, query, type Reply } from '../harness/client.ts'
import { eventually } from '../harness/eventually.ts'
import {
  askAgain,
  assertNowhere,
  faults,
  type LeakStory,
  openLeakStory,
  said,
} from '../harness/leak-story.ts'
import { assertFound } from '../harness/leaks.ts'

const CODE = '731'
const CRYPTOGRAM = 'AgAAAAAABk4DWZ4C28yUQAAAAAA='
const SECRET = 'the secret of the bridge and its acquirer'
const PAYS = { adyen: '4111111111111111', stripe: '4242424242424242', card: '5555555555554444' }
/** The device account numbers in the wallets' tokens. */
const DEVICE = { apple_pay: '4242424242424242', google_pay: '5555555555554444' }
const FAILED = 2
const browser = { userAgent: 'Mozilla/5.0', visitorId: 'v-1' }
const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-card-logs-'))
const apple = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
const google = makeGoogleKeys()
/** Every token that was sent. */
const tokens: string[] = []

let chain: AppleChain
let sandbox: Sandbox
let proxy: FaultyProxy
let story: LeakStory
let entries: ChannelEntry[]
let paid: Reply[]
before(async () => {
  giveSandboxKeys(dataDir)
  const host = '127.0.0.1'
  const extra = [mountAdyen, mountStripe]
  sandbox = await startSandbox({ host, dataDir, minuteMs: 60_000, secret: SECRET, extra })
  proxy = await openFaultyProxy(sandbox.url)
  chain = await makeAppleChain()
  entries = sandbox.settings().flatMap(moved)
  story = await openLeakStory(() => entries)
  for (const method of Object.keys(DEVICE)) await story.route(method, method)
})
after(async () => {
  await story.close()
  await proxy.close()
  await sandbox.close()
  rmSync(dataDir, { recursive: true })
})

/** Returns the entries that this story uses, with the proxy's address. */
function moved(entry: ChannelEntry): ChannelEntry[] {
  const text = JSON.stringify(entry).replaceAll(sandbox.url, proxy.url)
  const through: ChannelEntry = JSON.parse(text)
  const key = { format: 'der', type: 'pkcs8' } as const
  switch (String(entry.name)) {
    case 'adyen':
    case 'stripe':
      return [{ ...through, methods: ['card'] }]
    case 'card':
      return [through]
    case 'apple_pay': {
      const privateKeys = [apple.privateKey.export(key).toString('base64')]
      const rootCertificate = chain.root.toString('base64')
      return [{ ...through, merchantId: 'merchant.test.shop', privateKeys, rootCertificate }]
    }
    case 'google_pay': {
      const privateKeys = [google.ours.privateKey.export(key).toString('base64')]
      const keyValue = spki(google.root.publicKey)
      const root = { keyValue, protocolVersion: 'ECv2', keyExpiration: '4102444800000' }
      return [{ ...through, recipientId: 'gateway:tollgate', privateKeys, rootKeys: { keys: [root] } }]
    }
    default:
      return []
  }
}

const body = (changes: object) =>
  cardBody(story.account, { merOrderNo: newNumber(), cardSecurityCode: CODE, ...changes })

async function payByCard(channel: keyof typeof PAYS): Promise<Reply> {
  await story.route('card', channel)
  try {
    return await call(story.account, '/payment', body({ cardNo: PAYS[channel] }))
  } finally {
    await story.unroute('card', channel)
  }
}

async function payByToken(method: keyof typeof DEVICE): Promise<Reply> {
  const now = new Date()
  const payment = { applicationPrimaryAccountNumber: DEVICE.apple_pay, transactionAmount: 1234 }
  const message = { gatewayMerchantId: String(story.account.merNo) }
  const token =
    method === 'apple_pay'
      ? await makeAppleToken(chain, apple.publicKey, now, { payment })
      : makeGoogleToken(google, now, { message, details: { pan: DEVICE.google_pay } })
  tokens.push(token, JSON.stringify(token).slice(1, -1))
  const field = method === 'apple_pay' ? 'applePayToken' : 'googlePayToken'
  const { cardNo: _, cardSecurityCode: _code, ...fields } = body({ [field]: token, browser })
  return call(story.account, '/payment', fields, { paymentType: method.toUpperCase() })
}

async function payAll(): Promise<Reply[]> {
  const replies: Reply[] = []
  for (const channel of ['adyen', 'stripe', 'card'] as const) replies.push(await payByCard(channel))
  for (const method of ['apple_pay', 'google_pay'] as const) replies.push(await payByToken(method))
  return replies
}

const hidden = () => ({
  entries,
  secrets: [...tokens, CRYPTOGRAM],
  numbers: [...Object.values(PAYS), ...Object.values(DEVICE)],
  codes: [CODE],
})

/** Declines in the format of each counterparty, with the card in the reason. */
const declining: Fault = async (_, request) => {
  const { card, merchantReference, reference } = Object(readJson(request.body))
  const reason = card === undefined ? said(request) : `Not honoured: ${JSON.stringify(card)}`
  const isStripe = 'stripe-version' in request.headers
  const error = { type: 'card_error', code: reason, decline_code: reason, message: reason }
  const answer = {
    ...{ id: 'C1', status: 'declined', reason, merchantReference: merchantReference ?? reference },
    ...{ resultCode: 'Refused', refusalReason: reason, refusalReasonCode: reason, pspReference: 'P1' },
    ...(isStripe && { error }),
  }
  return { status: isStripe ? 402 : 200, headers: {}, body: JSON.stringify(answer) }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

it('every channel is paid', async () => {
  paid = await payAll()
  for (const { code, message, data } of paid)
    assert.deepEqual(
      { code, payCode: data.payCode },
      { code: '00000', payCode: 0 },
      `${message} ${JSON.stringify(data)}`,
    )
})

it('a card is declined, and the reason names it', async () => {
  // Stripe opens a payment before it knows the card.
  proxy.meet(declining, (path) => !/payment_(intents|methods)$/.test(path))
  const replies = await payAll()
  const states = replies.map(async ({ data }) => (await query(story.account, data.merOrderNo)).data.state)
  assert.deepEqual(await Promise.all(states), [FAILED, FAILED, FAILED, FAILED, FAILED])
})

it('counterparties refuse, break off and talk nonsense', async () => {
  for (const [round, fault] of faults.entries()) await fails(fault, round)
})

/** Pays, refunds, and asks about everything that is open by now, while the counterparties have this fault. */
async function fails(fault: Fault, round: number): Promise<void> {
  proxy.meet(fault)
  const replies = await payAll()
  assert.ok(replies.every(({ data }) => data.payCode !== 0))
  for (const { data } of paid) {
    const { merOrderNo, tradeNo } = data
    const asked = {
      merNo: story.account.merNo,
      merOrderNo,
      tradeNo,
      operationType: 'refund',
      version: 'V3.0.0',
    }
    assert.equal(
      (await call(story.account, '/refund/apply', { ...asked, amount: `1.0${round}` })).code,
      '00000',
    )
  }
  await askAgain(story)
}

it('callbacks are refused', async () => {
  for (const name of ['adyen', 'stripe', 'card', 'apple_pay', 'google_pay']) {
    const address = `${story.account.baseUrl}/callbacks/${name}`
    for (const text of [said([entries, hidden()]), '{'])
      await fetch(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body: text })
  }
  const refused = () => story.installation.output().split('refused a callback').length > 5
  assert.ok(await eventually(refused))
})

it('a statement of the database fails, with the row in its error', async () => {
  proxy.meet(undefined)
  const { db } = story.database
  await db.query({ text: 'alter table order_details add constraint nothing check (false) not valid' })
  const replies = await payAll()
  await db.query({ text: 'alter table order_details drop constraint nothing' })
  assert.ok(replies.every(({ code }) => code !== '00000'))
  assert.match(story.installation.output(), /violates check constraint/)
})

it('no card, token or credential is anywhere', async () => {
  const places = await assertNowhere(story, hidden())
  const reasons = places.filter(([, text]) => text.includes('Not honoured')).map(([where]) => where)
  assert.ok(reasons.includes('the page of an order'), reasons.join())
})

it('the search would find each of them', () => {
  const of = (name: string) => entries.find((entry) => entry.name === name) ?? assert.fail()
  const [adyen, stripe] = [of('adyen'), of('stripe')]
  const keys = [adyen.apiKey, adyen.hmacKey, adyen.reportPassword, stripe.secretKey, stripe.webhookSecret]
  const lists = [of('apple_pay').privateKeys, of('google_pay').privateKeys].flat()
  const cards = ['5555 5555 5555 4444', '4111-1111-1111-1111', DEVICE.apple_pay]
  assertFound([...keys, ...lists, ...cards, SECRET, CRYPTOGRAM, tokens[0], `cvc=${CODE}`, CODE], hidden())
})
