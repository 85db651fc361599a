import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type Sandbox, startSandbox } from '../../../../../sandbox/server.ts'
import {
  type GoogleWish,
  makeGoogleKeys,
  makeGoogleToken,
  spki,
} from '../../../../../test/builders/google-pay.ts'
import { giveSandboxKeys } from '../../../../../test/builders/rsa-keys.ts'
import { isCharged } from '../../../../../test/builders/wallet-charges.ts'
import { makeReference } from '../../../../../test/contracts/channel-driver.ts'
import { connectTo, makeRequest } from '../../../../../test/contracts/sandbox-driver.ts'
import { toolsWith } from '../../../../../test/counterparties/connect-entry.ts'
import type { Callback, Channel, Outcome, StartRequest } from '../../../contract/channel.ts'
import type { NamedSettings } from '../../../contract/settings.ts'
import { signatureHeader, signRequest, timestampHeader } from '../../../toolkit/signature.ts'
import { connectGooglePay } from '../../google-pay/google-pay.ts'
import { readWalletCallback } from './wallet-channel.ts'

const secret = 'a secret for tests'
const money = { amount: 1_250n, currency: 'USD' }
const keys = makeGoogleKeys()
const rootKeys = {
  keys: [{ keyValue: spki(keys.root.publicKey), protocolVersion: 'ECv2', keyExpiration: '4102444800000' }],
}
const ourKey = keys.ours.privateKey.export({ format: 'pem', type: 'pkcs8' })

describe("a wallet's token that the merchant sends", () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-wallet-'))
  let sandbox: Sandbox
  let settings: NamedSettings
  let channel: Channel
  before(async () => {
    giveSandboxKeys(dataDir)
    sandbox = await startSandbox({ host: '127.0.0.1', dataDir, minuteMs: 60_000, secret })
    const acquirer = { acquirerUrl: sandbox.url, acquirerSecret: secret }
    const google = { recipientId: 'gateway:tollgate', rootKeys, privateKeys: [ourKey] }
    settings = { name: 'google', method: 'google_pay', ...acquirer, ...google }
    channel = connectGooglePay(settings, tools)
  })
  after(async () => {
    await sandbox.close()
    rmSync(dataDir, { recursive: true })
  })

  const used = new Map<string, string>()
  async function useToken({ merNo, tokenId }: { merNo: number; tokenId: string }, reference: string) {
    const key = `${merNo} ${tokenId}`
    used.set(key, used.get(key) ?? reference)
    return used.get(key) === reference
  }

  const tools = toolsWith({ timeoutMs: 60_000, useToken })

  const request = (walletToken: string, reference = makeReference()): StartRequest => {
    return { ...makeRequest({ method: 'google_pay', money }, 'pays', reference), walletToken }
  }
  const token = (wish?: GoogleWish) => makeGoogleToken(keys, new Date(), wish)
  const card = (pan: string, authMethod = 'CRYPTOGRAM_3DS') => token({ details: { pan, authMethod } })

  async function assertDeclined(outcome: Promise<unknown>, message: RegExp) {
    const settled = await outcome
    assert.ok(
      typeof settled === 'object' &&
        settled !== null &&
        'kind' in settled &&
        'cause' in settled &&
        'message' in settled,
    )
    assert.deepEqual({ kind: settled.kind, cause: settled.cause }, { kind: 'failed', cause: 'declined' })
    assert.match(String(settled.message), message)
  }

  it('is charged immediately; a repeated attempt is the same charge', async () => {
    const asked = request(token())
    const outcome = await channel.start(asked)
    assert.equal(outcome.kind, 'succeeded')
    assert.deepEqual(outcome.money, money)
    assert.deepEqual(await channel.start(asked), outcome)
    assert.deepEqual(await channel.ask(asked), outcome)
    assert.equal(await isCharged(asked.reference, sandbox), true)
  })

  it('pays one attempt and no other', async () => {
    const once = token()
    assert.equal((await channel.start(request(once))).kind, 'succeeded')
    const replayed = request(once)
    await assertDeclined(channel.start(replayed), /already been used/)
    assert.equal(await isCharged(replayed.reference, sandbox), false)
  })

  it('is declined without a charge when it was changed, expired, or is for another shop', async () => {
    const changed = request(
      token().replace(/"signature":"(.)/, (_, first) => `"signature":"${first === 'M' ? 'N' : 'M'}`),
    )
    await assertDeclined(channel.start(changed), /Google Pay token/)
    const past = String(Date.now() - 1)
    await assertDeclined(channel.start(request(token({ message: { messageExpiration: past } }))), /expired/)
    const others = request(token({ message: { gatewayMerchantId: '10002' } }))
    await assertDeclined(channel.start(others), /another merchant/)
    for (const { reference } of [changed, others]) assert.equal(await isCharged(reference, sandbox), false)
  })

  it('stays paid if it was valid when charged, even if it has expired when the attempt is repeated', async () => {
    const asked = request(token())
    const outcome = await channel.start(asked)
    const old = { ...asked, walletToken: token({ message: { messageExpiration: '1' } }) }
    assert.deepEqual(await channel.start(old), outcome)
  })

  it("returns the bank's decline", async () => {
    await assertDeclined(channel.start(request(card('4000000000009995'))), /Insufficient funds/)
  })

  it('is unknown when the acquirer does not respond, until it is queried', async () => {
    const within = (timeoutMs: number) => connectGooglePay(settings, { ...tools, timeoutMs })
    const charged = request(card('4000000000000119'))
    assert.equal((await within(3_000).start(charged)).kind, 'unknown')
    assert.equal((await channel.ask(charged)).kind, 'succeeded')
    const not = request(card('4000000000006975'))
    assert.equal((await within(3_000).start(not)).kind, 'unknown')
    const settled = await channel.ask(not)
    assert.deepEqual(
      { kind: settled.kind, cause: 'cause' in settled && settled.cause },
      { kind: 'failed', cause: 'cancelled' },
    )
  })

  it('with a card stored in the wallet account may need a challenge, and continues after it', async () => {
    const asked = request(card('4000000000003220', 'PAN_ONLY'))
    const waiting = await channel.start(asked)
    assert.equal(waiting.kind, 'pending')
    assert.equal(waiting.action.kind, 'challenge')
    const { acsTransID } = JSON.parse(Buffer.from(waiting.action.creq, 'base64url').toString())
    const form = new URLSearchParams({ acsTransID, code: '123456' })
    await fetch(`${waiting.action.acsUrl}/answer`, { method: 'POST', body: form })
    const cres = Buffer.from(JSON.stringify({ acsTransID })).toString('base64url')
    assert.equal((await channel.complete({ ...asked, answer: { cres } })).kind, 'succeeded')
  })

  it('is required if there is no payment sheet', async () => {
    const { walletToken: _, ...without } = request('')
    const outcome = await channel.start(without)
    assert.deepEqual(outcome, {
      kind: 'failed',
      cause: 'refused',
      isLocal: true,
      message: 'Send the Google Pay token with the payment',
    })
    assert.equal(channel.disputes, undefined)
  })

  it('fails for certain when the acquirer cannot be reached', async () => {
    const unreachable = { ...settings, acquirerUrl: 'http://127.0.0.1:1' }
    const outcome = await connectGooglePay(unreachable, tools).start(request(token()))
    assert.deepEqual(
      { kind: outcome.kind, cause: 'cause' in outcome && outcome.cause },
      { kind: 'failed', cause: 'unreachable' },
    )
  })

  it('needs valid settings', () => {
    const wrongs = {
      privateKeys: ['x'],
      rootKeys: { keys: [] },
      recipientId: '',
      walletUrl: 'ftp://x',
      acquirerUrl: '',
    }
    for (const [name, value] of Object.entries(wrongs))
      assert.throws(
        () => connectGooglePay({ ...settings, walletSecret: 's', [name]: value }, tools),
        new RegExp(`channel google: "${name}"`),
      )
  })
})

describe('a payment that was approved on the sheet', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-wallet-'))
  let sandbox: Sandbox
  before(async () => {
    giveSandboxKeys(dataDir)
    sandbox = await startSandbox({ host: '127.0.0.1', dataDir, minuteMs: 60_000, secret })
  })
  after(async () => {
    await sandbox.close()
    rmSync(dataDir, { recursive: true })
  })

  /**
   * Returns a channel whose clock jumps ahead after the token was read and before it is charged. So the acquirer
   * refuses the channel's call.
   */
  function refusedNode(meanwhile: () => Promise<unknown>): Channel {
    const settings = sandbox.settings().find(({ method }) => method === 'google_pay')
    assert.ok(settings)
    let aheadMs = 0
    return connectGooglePay(
      { ...settings, method: 'google_pay' },
      toolsWith({
        clock: { now: () => new Date(Date.now() + aheadMs) },
        timeoutMs: 60_000,
        async useToken() {
          await meanwhile()
          aheadMs = 600_000
          return true
        },
      }),
    )
  }

  async function approve(): Promise<StartRequest> {
    const asked = makeRequest({ method: 'google_pay', money }, 'pays')
    await connectTo(sandbox, 'google_pay').start(asked)
    const bank = sandbox.bank('google_pay')
    bank?.pay(bank.find(asked.reference)?.id ?? '', { amount: money.amount.toString() })
    return asked
  }

  it('is not failed by a refusal: another node may have charged it', async () => {
    const asked = await approve()
    const node = connectTo(sandbox, 'google_pay')
    const outcome = await refusedNode(() => node.ask(asked)).ask(asked)
    assert.equal(outcome.kind, 'unknown')
    assert.equal((await node.ask(asked)).kind, 'succeeded')
  })
})

// The acquirer and the payment sheet send callbacks to the same URL. Each gets the response to its own callback, even
// to a malformed one.

const now = new Date('2026-07-01T12:00:00Z')
const [acquirerSecret, sheetSecret] = ["the acquirer's secret", "the sheet's secret"]
const path = '/callbacks/google'

function signedBy(secret: string, content: unknown): Callback {
  const body = JSON.stringify(content)
  const timestamp = String(now.getTime() / 1000)
  const signature = signRequest(secret, { method: 'POST', path, timestamp, body })
  return {
    method: 'POST',
    path,
    query: '',
    headers: { [timestampHeader]: timestamp, [signatureHeader]: signature },
    body,
  }
}

const unknown: Outcome = { kind: 'unknown', why: 'the acquirer does not answer' }
const paid: Outcome = { kind: 'succeeded', money: { amount: 1_250n, currency: 'USD' }, channelRef: 'c1' }

async function answerTo(callback: Callback, secret: string | undefined = sheetSecret, outcome = paid) {
  const raised = new Set<string>()
  const { answer } = await readWalletCallback(callback, {
    acquirerSecret,
    sheetSecret: secret,
    now,
    alarms: { raise: async (key) => void raised.add(key) },
    ask: async () => outcome,
  })
  return { status: answer.status, alarms: raised.size }
}

const dispute = { type: 'dispute', id: 'd1', merchantReference: 'A1', amount: 'much', currency: 'USD' }

it("the acquirer's callback that cannot be read is not understood, with or without a sheet", async () => {
  for (const secret of [sheetSecret, acquirerSecret, undefined]) {
    assert.deepEqual(await answerTo(signedBy(acquirerSecret, dispute), secret), { status: 422, alarms: 1 })
    assert.deepEqual(await answerTo(signedBy(acquirerSecret, { type: 'news' }), secret), {
      status: 422,
      alarms: 0,
    })
    const open = signedBy(acquirerSecret, { merchantReference: 'A1' })
    assert.deepEqual(await answerTo(open, secret, unknown), { status: 422, alarms: 0 })
  }
})

it("the sheet's callback is read, and one that cannot be read is not understood", async () => {
  for (const secret of [sheetSecret, acquirerSecret]) {
    assert.deepEqual(await answerTo(signedBy(secret, { reference: 'A1' }), secret), {
      status: 200,
      alarms: 0,
    })
    assert.deepEqual(await answerTo(signedBy(secret, { reference: 1 }), secret), { status: 422, alarms: 0 })
  }
})

it('a callback that neither of them signed is refused', async () => {
  for (const secret of [sheetSecret, undefined])
    assert.deepEqual(await answerTo(signedBy('another secret', dispute), secret), {
      status: 401,
      alarms: 0,
    })
})
