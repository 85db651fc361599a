// Data for tests: every builder returns something valid, with the changes that a test wants.
import { makeId } from '../src/base/id.ts'
import type { LimitTaken } from '../src/orders/limit-usage.ts'
import { CHECKOUT, type NewAttempt, type NewPayment, openOrderOf } from '../src/orders/new-order.ts'
import type { AttemptedOrder } from '../src/orders/order.ts'
import type { OutcomeReport } from '../src/payments/record-outcomes.ts'

let count = 0

/** Without rates: everything settles in its own currency. */
export const noRates = { find: () => undefined }

export function aPayment(changes: Partial<NewPayment> = {}): NewPayment {
  const merNo = changes.merNo ?? 10_000_001
  const createdAt = changes.createdAt ?? new Date()
  const day = createdAt.toISOString().slice(0, 10)
  return {
    merNo,
    tradeNo: makeId('T', merNo, createdAt),
    merOrderNo: `order-${process.pid}-${++count}`,
    method: 'card',
    money: { amount: 1000n, currency: 'USD' },
    returnUrl: 'https://shop.example/back',
    notifyUrl: 'https://shop.example/notify',
    protestNotifyUrl: '',
    details: { billingCity: 'Lima' },
    sealed: undefined,
    usdValue: 1000n,
    localDay: day,
    timezone: 'UTC',
    createdAt,
    terms: {
      feeBps: 0,
      feeFixed: 0n,
      marginBps: 0,
      marginDays: 180,
      settleDays: 1,
      settleCurrency: 'USD',
      settleRate: undefined,
    },
    limits: merchantLimits(merNo, day, 10n ** 12n, 10n ** 12n),
    maxAttempts: 1,
    needsReview: false,
    attempt: anAttempt(createdAt),
    ...changes,
  }
}

/** The order as it is after its acceptance with its first attempt. */
export function anOrder(changes: Partial<AttemptedOrder> = {}): AttemptedOrder {
  const payment = aPayment()
  return { ...openOrderOf(payment, payment.attempt ?? anAttempt(payment.createdAt)), ...changes }
}

export function anAttempt(createdAt: Date, changes: Partial<NewAttempt> = {}): NewAttempt {
  const card = { first6: '424242', last4: '4242', brand: 'visa', fingerprint: 'fingerprint' }
  return { channel: 'card', card, askAt: new Date(createdAt.getTime() + 10_000), ...changes }
}

/** An order on our page without an attempt. */
export function aHosted(changes: Partial<NewPayment> = {}): NewPayment {
  const { attempt: _, ...payment } = aPayment({ method: CHECKOUT, maxAttempts: 5, ...changes })
  const expiresAt = new Date(payment.createdAt.getTime() + 30 * 60_000)
  return { ...payment, hosted: { method: undefined, expiresAt }, ...changes }
}

export function merchantLimits(merNo: number, day: string, daily: bigint, monthly: bigint): LimitTaken[] {
  return [
    { merNo, method: '', period: day, most: daily, code: '10024' },
    { merNo, method: '', period: day.slice(0, 7), most: monthly, code: '10025' },
  ]
}

/** A success as reported by the call right after acceptance, with the order at hand. */
export function aSuccess(payment: NewPayment, changes: Partial<OutcomeReport> = {}): OutcomeReport {
  return {
    merNo: payment.merNo,
    tradeNo: payment.tradeNo,
    attemptNo: 1,
    outcome: { kind: 'succeeded', money: payment.money, channelRef: 'channel-1' },
    at: new Date(),
    awaitsPayerMinutes: 30,
    accepted: payment.attempt && openOrderOf(payment, payment.attempt),
    ...changes,
  }
}

export function aDecline(payment: NewPayment): OutcomeReport {
  return aSuccess(payment, { outcome: { kind: 'failed', cause: 'declined', message: 'Card declined' } })
}
