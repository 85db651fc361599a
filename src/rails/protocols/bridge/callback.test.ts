import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Callback } from '../../contract/channel.ts'
import { signatureHeader, signRequest, timestampHeader } from '../../toolkit/signature.ts'
import { readSignedCallback } from './callback.ts'

const now = new Date('2026-07-01T12:00:00Z')
const secret = 'a secret for tests'
const path = '/callbacks/bridge'

function callback(content: unknown): Callback {
  const body = JSON.stringify(content)
  const timestamp = String(now.getTime() / 1000)
  const signature = signRequest(secret, { method: 'POST', path, timestamp, body })
  const headers = { [timestampHeader]: timestamp, [signatureHeader]: signature }
  return { method: 'POST', path, query: '', headers, body }
}

async function read(content: unknown) {
  const result = await readSignedCallback(callback(content), { secret, now })
  const { answer, ...rest } = result
  return { ...rest, status: answer.status }
}

const money = { amount: '1250', currency: 'USD' }
const refund = { type: 'refund', id: 're_1', refundReference: 'R1', merchantReference: 'A1', ...money }
const payout = { type: 'payout', id: 'po_1', reference: 'P1', ...money }
const dispute = { type: 'dispute', id: 'd1', merchantReference: 'A1', ...money, disputedAt: now.getTime() }
const paid = { amount: 1_250n, currency: 'USD' }

test('a callback with a type reports refunds, payouts and disputes', async () => {
  const cases: readonly (readonly [content: object, reported: object])[] = [
    [
      { ...refund, status: 'succeeded' },
      {
        refunds: [{ refundReference: 'R1', outcome: { kind: 'succeeded', money: paid, channelRef: 're_1' } }],
      },
    ],
    [
      {
        ...refund,
        status: 'returned',
        reason: 'Account closed',
        returnedAmount: '7',
        returnedCurrency: 'EUR',
      },
      {
        refunds: [
          {
            refundReference: 'R1',
            outcome: { kind: 'returned', message: 'Account closed', money: { amount: 7n, currency: 'EUR' } },
          },
        ],
      },
    ],
    [
      { ...payout, status: 'succeeded' },
      { payouts: [{ reference: 'P1', outcome: { kind: 'succeeded', money: paid, railRef: 'po_1' } }] },
    ],
    [
      { ...payout, status: 'returned' },
      {
        payouts: [
          {
            reference: 'P1',
            outcome: { kind: 'returned', message: 'The money came back', money: undefined },
          },
        ],
      },
    ],
    [
      { ...dispute, stage: 'inquiry', respondBy: now.getTime() + 1_000 },
      {
        disputes: [
          {
            disputeRef: 'd1',
            reference: 'A1',
            money: paid,
            reason: '',
            at: now,
            stage: 'inquiry',
            respondBy: new Date(now.getTime() + 1_000),
          },
        ],
      },
    ],
  ]
  for (const [content, reported] of cases)
    assert.deepEqual(await read(content), { kind: 'accepted', reports: [], ...reported, status: 200 })
})

test('a callback that is not understood is refused, so that it is sent again', async () => {
  const wrong: readonly object[] = [
    { ...refund, status: 'on_hold' },
    { ...refund, status: 'succeeded', amount: 1250 },
    { ...refund, refundReference: undefined },
    { ...payout, status: 'on_hold' },
    { ...payout, reference: undefined },
    { ...dispute, stage: 'escalated' },
    { ...dispute, disputedAt: 'today' },
    { ...dispute, disputedAt: now.getTime() + 3_600_000 },
    { ...dispute, respondBy: 'soon' },
    { ...payout, type: 'transfer' },
    // A callback without a type is about a payment, and a payout rail has no payments.
    { ...payout, type: undefined, status: 'succeeded' },
  ]
  for (const content of wrong) {
    const result = await read(content)
    assert.deepEqual(
      { kind: result.kind, status: result.status },
      { kind: 'refused', status: 422 },
      JSON.stringify(content),
    )
  }
})
