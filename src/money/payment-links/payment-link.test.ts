import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { State } from '../orders/order.ts'
import { type PaymentLink, readAmount, statusOf } from './payment-link.ts'

const now = new Date('2026-11-16T12:00:00Z')
const later = new Date(now.getTime() + 1)

function aLink(changes: Partial<PaymentLink> = {}): PaymentLink {
  return {
    merNo: 10_000_001,
    linkId: 'P1',
    title: 'Lamp',
    currency: 'EUR',
    amount: undefined,
    least: undefined,
    most: undefined,
    method: undefined,
    uses: 'one',
    expiresAt: undefined,
    language: '',
    reference: '',
    notifyUrl: '',
    state: 'active',
    claim: undefined,
    createdBy: 'owner@shop.example',
    createdAt: now,
    ...changes,
  }
}

describe('a payment link', () => {
  const claimedIn = (state: keyof typeof State) => ({
    claim: { tradeNo: 'T1', state: State[state], money: { amount: 100n, currency: 'EUR' } },
  })

  for (const [what, changes, status] of [
    ['without an order', {}, 'active'],
    ['whose order waits for its payer', claimedIn('processing'), 'claimed'],
    ['whose money is in review', claimedIn('inReview'), 'claimed'],
    ['whose order failed', claimedIn('failed'), 'active'],
    ['whose order was cancelled', claimedIn('cancelled'), 'active'],
    ['whose order is paid', claimedIn('succeeded'), 'paid'],
    ['whose order was paid and refunded', claimedIn('refunded'), 'paid'],
    ['whose order was charged back', claimedIn('chargedBack'), 'paid'],
    ['that is switched off', { state: 'off' }, 'off'],
    ['that was paid before it was switched off', { state: 'off', ...claimedIn('succeeded') }, 'paid'],
    ['that expires later', { expiresAt: later }, 'active'],
    ['that has expired', { expiresAt: now }, 'expired'],
    ['that expired while its order waits', { expiresAt: now, ...claimedIn('processing') }, 'expired'],
  ] as const)
    it(`${what} is ${status}`, () => assert.equal(statusOf(aLink(changes), now), status))

  it('takes an amount with a point or a comma, and never guesses', () => {
    const link = aLink()
    for (const [typed, amount] of [
      ['12', 1200n],
      [' 12.5 ', 1250n],
      ['12,50', 1250n],
      ['007', 700n],
      ['1,234', undefined],
      ['12.345', undefined],
      ['0', undefined],
      ['-3', undefined],
      ['1e3', undefined],
      ['', undefined],
      ['1234567890', undefined],
    ] as const)
      assert.equal(readAmount(link, typed), amount, typed)
    assert.equal(readAmount(aLink({ currency: 'JPY' }), '500'), 500n)
    assert.equal(readAmount(aLink({ currency: 'JPY' }), '500.50'), undefined)
  })

  it('takes amounts within its bounds, both included', () => {
    const link = aLink({ least: 500n, most: 1000n })
    const taken = ['4.99', '5', '10', '10.01'].map((typed) => readAmount(link, typed))
    assert.deepEqual(taken, [undefined, 500n, 1000n, undefined])
  })
})
