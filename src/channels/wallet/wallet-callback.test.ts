// One address for two counterparties: each gets the answer to its own callback, also if that cannot be read.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Callback, Outcome } from '../contract.ts'
import { signatureHeader, signRequest, timestampHeader } from '../signature.ts'
import { readWalletCallback } from './wallet-callback.ts'

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

async function statusOf(callback: Callback, secret: string | undefined = sheetSecret, outcome = paid) {
  const raised = new Set<string>()
  const { answer } = await readWalletCallback(callback, {
    acquirerSecret,
    sheetSecret: secret,
    now,
    alarms: { raise: async (key) => void raised.add(key) },
    ask: async () => outcome,
  })
  return [answer.status, raised.size]
}

const dispute = { type: 'dispute', id: 'd1', merchantReference: 'A1', amount: 'much', currency: 'USD' }

it("the acquirer's callback that cannot be read is not understood, with or without a sheet", async () => {
  for (const secret of [sheetSecret, acquirerSecret, undefined]) {
    assert.deepEqual(await statusOf(signedBy(acquirerSecret, dispute), secret), [422, 1])
    assert.deepEqual(await statusOf(signedBy(acquirerSecret, { type: 'news' }), secret), [422, 0])
    const open = signedBy(acquirerSecret, { merchantReference: 'A1' })
    assert.deepEqual(await statusOf(open, secret, unknown), [422, 0])
  }
})

it("the sheet's callback is read, and one that cannot be read is not understood", async () => {
  for (const secret of [sheetSecret, acquirerSecret]) {
    assert.deepEqual(await statusOf(signedBy(secret, { reference: 'A1' }), secret), [200, 0])
    assert.deepEqual(await statusOf(signedBy(secret, { reference: 1 }), secret), [422, 0])
  }
})

it('a callback that neither of them signed is refused', async () => {
  for (const secret of [sheetSecret, undefined])
    assert.deepEqual(await statusOf(signedBy('another secret', dispute), secret), [401, 0])
})
