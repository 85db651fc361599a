// Drives channels that charge cards, or wallet tokens, at the sandbox's issuer, and answers its challenges like a
// browser.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSandbox } from '../../sandbox/server.ts'
import type { Channel, PayerAction, StartRequest } from '../../src/rails/contract/channel.ts'
import { giveSandboxKeys } from '../builders/rsa-keys.ts'
import { openCallbackReceiver } from '../counterparties/callback-receiver.ts'
import type { Behaviour, ChannelDriver, FaultAccess } from './channel-driver.ts'
import { COMPLETE_URL, makeRequest, SECRET, signAgain } from './sandbox-driver.ts'

export const cards: Record<Behaviour, string> = {
  pays: '4242424242424242',
  declines: '4000000000000002',
  waits: '4000000000003220',
  'silent-but-opened': '4000000000000119',
  'silent-and-not-opened': '4000000000006975',
  refused: '42',
}

const PATIENT_MS = 60_000

export type CardDriverOptions = {
  connect(url: string, timeoutMs: number): Channel
  /** The means of payment; by default a card. */
  readonly paidBy?: 'card' | 'token'
  readonly believes?: 'signature' | 'asking'
  faultsAt?(url: string): FaultAccess
}

export async function openCardDriver(options: CardDriverOptions): Promise<ChannelDriver> {
  const { connect, paidBy = 'card', believes = 'signature', faultsAt } = options
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-card-'))
  giveSandboxKeys(dataDir)
  const sandbox = await startSandbox({ host: '127.0.0.1', dataDir, minuteMs: 60_000, secret: SECRET })
  const callbacks = await openCallbackReceiver()
  const channel = connect(sandbox.url, PATIENT_MS)
  callbacks.answerWith(async (callback) => (await channel.readCallback?.(callback))?.answer ?? assert.fail())
  const requestOf = paidBy === 'card' ? cardRequest : tokenRequest
  return {
    channel,
    within: (timeoutMs) => connect(sandbox.url, timeoutMs),
    request: (behaviour, reference) => requestOf(cards[behaviour], reference, callbacks.url),
    act: (action, deed) => enterCode(action, deed === 'approve' ? '123456' : '000000'),
    push: {
      kind: 'callback',
      believes,
      received: callbacks.received,
      forge(callback, { amount, currency }) {
        const charge = { ...JSON.parse(callback.body), amount: amount.toString(), currency }
        return signAgain(callback, JSON.stringify(charge))
      },
    },
    refusedRefund: { amount: 666n, currency: 'USD' },
    ...(faultsAt && { faults: faultsAt(sandbox.url) }),
    async isCharged(reference) {
      const answer = await sandbox.issuer.handle({
        operation: 'lookup',
        body: { merchantReference: reference },
      })
      return answer?.body.status === 'captured'
    },
    async close() {
      await callbacks.close()
      await sandbox.close()
      rmSync(dataDir, { recursive: true })
    },
  }
}

const money = { amount: 1_250n, currency: 'USD' }
const details = { timezone: 'Asia/Shanghai', language: 'zh-CN' }

export function cardRequest(number: string, reference?: string, callbackUrl?: string): StartRequest {
  const card = { number, expiryMonth: '4', expiryYear: '39', securityCode: '123' }
  return { ...makeRequest({ method: 'card', money, details }, 'pays', reference, callbackUrl), card }
}

/** Returns a payment by a test token of the issuer, which names the card in plain text. */
export function tokenRequest(number: string, reference?: string, callbackUrl?: string): StartRequest {
  const walletToken = JSON.stringify({ testCard: number, nonce: randomUUID() })
  return {
    ...makeRequest({ method: 'apple_pay', money, details }, 'pays', reference, callbackUrl),
    walletToken,
  }
}

/** Acts like a browser without scripts: opens the bank's page, posts the code, and reads the form that leads back. */
async function enterCode(action: PayerAction, code: string): Promise<Record<string, string>> {
  assert.equal(action.kind, 'challenge')
  const shown = await post(action.acsUrl, { creq: action.creq })
  const acsTransID = /name="acsTransID" value="([^"]+)"/.exec(shown)?.[1] ?? challengeIdIn(action.creq)
  const answered = await post(`${action.acsUrl}/answer`, { acsTransID, code })
  assert.ok(answered.includes(`action="${COMPLETE_URL}"`))
  return { cres: /name="cres" value="([^"]+)"/.exec(answered)?.[1] ?? '' }
}

/**
 * Returns the challenge's id. After a cancellation, a newly opened page of the bank has no form, but the page that the
 * payer opened before still has its form.
 */
function challengeIdIn(creq: string): string {
  return JSON.parse(Buffer.from(creq, 'base64url').toString()).acsTransID
}

async function post(url: string, form: Record<string, string>): Promise<string> {
  return (await fetch(url, { method: 'POST', body: new URLSearchParams(form) })).text()
}
