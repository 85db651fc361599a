import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FoundAttempt, FoundPayment } from '../../../money/order-queries/find-payment.ts'
import { type AttemptState, State, type StateNumber } from '../../../money/orders/order.ts'
import { pageVersionOf, payCodeOf, payerStatusOf } from './payer-status.ts'

const now = new Date('2026-11-15T12:00:00Z')
const later = new Date(now.getTime() + 60_000)
const action = { kind: 'redirect', url: 'https://wallet.example/1' } as const

function anAttempt(state: AttemptState, changes: Partial<FoundAttempt> = {}): FoundAttempt {
  return {
    no: 1,
    channel: 'one',
    state,
    channelRef: undefined,
    action,
    message: 'Declined',
    createdAt: now,
    ...changes,
  }
}

function anOrder(state: StateNumber, changes: Partial<FoundPayment> = {}): FoundPayment {
  const { attempt } = changes
  return {
    merNo: 1,
    tradeNo: 'T1',
    merOrderNo: 'lamp-7',
    method: 'alipay',
    money: { amount: 2400n, currency: 'EUR' },
    state,
    message: 'in words',
    returnUrl: '',
    createdAt: now,
    received: undefined,
    handlingFee: 0n,
    processingFee: 0n,
    settled: false,
    chargeback: undefined,
    maxAttempts: 5,
    attempts: attempt?.no ?? 0,
    attempt: undefined,
    hosted: { method: undefined, expiresAt: later },
    expiresAt: later,
    ...changes,
  }
}

const payerStatus = (payment: FoundPayment) => payerStatusOf(payment, now)
const open = (changes: Partial<FoundPayment>) => payerStatus(anOrder(State.processing, changes))

describe('the payer status of an order', () => {
  it('is choosing before the first attempt and after each failure, with the reason', () => {
    assert.equal(open({}).status, 'choosing')
    assert.equal(open({}).message, '')
    const declined = open({ attempt: anAttempt('failed') })
    assert.equal(declined.status, 'choosing')
    assert.equal(declined.message, 'Declined')
    assert.equal(declined.action, undefined)
    const given = anAttempt('failed', { message: 'Cancelled by the payer' })
    assert.equal(open({ attempt: given }).message, '')
  })

  it('is processing once the order has expired on the page, and while an attempt is under way', () => {
    assert.equal(open({ hosted: { method: undefined, expiresAt: now } }).status, 'processing')
    assert.equal(open({ hosted: undefined, attempt: anAttempt('failed') }).status, 'processing')
  })

  it('is awaiting the payer only while an attempt is pending', () => {
    assert.equal(open({ attempt: anAttempt('pending') }).status, 'awaiting-payer')
    assert.deepEqual(open({ attempt: anAttempt('pending') }).action, action)
    for (const state of ['calling', 'unknown', 'succeeded'] as const) {
      assert.equal(open({ attempt: anAttempt(state) }).status, 'processing')
      assert.equal(open({ attempt: anAttempt(state) }).action, undefined)
    }
  })

  it('is final in every other state, and so is the payCode for the shop', () => {
    const paid = [5, 9, 10, 11, 12, 17] as const
    for (const state of paid) assert.equal(payerStatus(anOrder(state)).status, 'succeeded')
    for (const state of [24, 25] as const) assert.equal(payerStatus(anOrder(state)).status, 'processing')
    assert.equal(payerStatus(anOrder(6)).status, 'failed')
    assert.equal(payerStatus(anOrder(6)).message, 'in words')
    assert.equal(payerStatus(anOrder(7, { message: 'Cancelled by the payer' })).status, 'cancelled')
    assert.equal(payerStatus(anOrder(7, { message: 'Expired: nobody paid in time' })).status, 'expired')
    assert.deepEqual(
      (['succeeded', 'failed', 'cancelled', 'expired', 'choosing', 'processing'] as const).map(payCodeOf),
      ['0', '1', '1', '1', '2', '2'],
    )
  })

  it('allows switching only if another method is available', () => {
    const attempt = anAttempt('pending')
    assert.equal(open({ attempt }).maySwitch, true)
    assert.equal(open({ attempt: anAttempt('pending', { no: 5 }) }).maySwitch, false)
    assert.equal(open({ attempt, hosted: undefined }).maySwitch, false)
    assert.equal(open({ attempt, hosted: { method: 'alipay', expiresAt: later } }).maySwitch, false)
    assert.equal(open({}).maySwitch, false)
  })

  it('does not allow leaving after a partial payment', () => {
    const attempt = anAttempt('pending')
    const part = open({ attempt, received: 900n })
    assert.deepEqual(part.received, { amount: 900n, currency: 'EUR' })
    assert.equal(part.maySwitch || part.mayCancel, false)
    assert.equal(open({ attempt }).mayCancel, true)
    assert.equal(open({ attempt }).received, undefined)
    assert.equal(payerStatus(anOrder(5, { received: 2400n })).received, undefined)
  })

  it('does not allow leaving while a transfer is being confirmed', () => {
    const coin = { kind: 'crypto', account: '0x1', coin: 'USDC', network: 'ERC20', coinAmount: '24' } as const
    const asked = { ...coin, qrCode: 'ethereum:0x1', confirmationsNeeded: 3 }
    const seen = open({ attempt: anAttempt('pending', { action: { ...asked, confirmations: 0 } }) })
    assert.equal(seen.maySwitch || seen.mayCancel, false)
    assert.equal(open({ attempt: anAttempt('pending', { action: asked }) }).mayCancel, true)
  })

  it('has a new page version whenever the page would look different', () => {
    const stages = [
      open({}),
      open({ attempt: anAttempt('calling') }),
      open({ attempt: anAttempt('pending') }),
      open({ attempt: anAttempt('pending'), received: 1n }),
      open({ attempt: anAttempt('failed') }),
      open({ attempt: anAttempt('pending', { no: 2 }) }),
      payerStatus(anOrder(5, { attempt: anAttempt('succeeded', { no: 2 }) })),
    ]
    assert.equal(new Set(stages.map(pageVersionOf)).size, stages.length)
  })
})
