// Data for tests: every builder returns something valid, with the changes that a test wants.
import type { Approver } from '../../src/money/approvals/may-approve.ts'
import type { LimitTaken } from '../../src/money/orders/limit-usage.ts'
import { CHECKOUT, type NewAttempt, type NewPayment, openOrderOf } from '../../src/money/orders/new-order.ts'
import type { AttemptedOrder } from '../../src/money/orders/order.ts'
import type { OutcomeReport } from '../../src/money/payments/record-outcomes.ts'
import type { Caller } from '../../src/people/roles/caller.ts'
import { merchantPermissions, operatorPermissions } from '../../src/people/roles/permissions.ts'
import type { Browser } from '../../src/people/sessions/begin-session.ts'
import type { Actor } from '../../src/platform/audit-log/entry.ts'
import { makeId } from '../../src/platform/base/id.ts'
import { localDay } from '../../src/platform/base/local-day.ts'

let count = 0

/** No currency has a rate, so everything settles in its own currency. */
export const noRates = { find: () => undefined }

/** Returns an operator with every permission who approves or rejects. */
export function anOperator(actor: Actor = { kind: 'user', name: 'judge@operator.example' }): Approver {
  return { actor, merNo: 0, need: () => {} }
}

/** Returns the arguments of a call of the back office that has no parameters. */
export function aCall(caller: Caller) {
  const none = { params: undefined, query: undefined, body: undefined }
  const browser: Browser = {
    address: caller.address,
    agent: '',
    token: undefined,
    setSession() {},
    device: undefined,
    setDevice() {},
  }
  return { ...none, caller, browser }
}

/** Returns a person in the back office with every permission: of this merchant, or an operator for merchant 0. */
export function aCaller(merNo: number, email: string): Caller {
  return {
    userId: `user of ${email}`,
    email,
    name: email,
    merNo,
    role: 'owner',
    permissions: new Set([...merchantPermissions, ...operatorPermissions]),
    sessionId: '',
    address: '127.0.0.1',
    language: null,
    factors: [],
    factorRequired: false,
    factorAt: null,
  }
}

export function aPayment(changes: Partial<NewPayment> = {}): NewPayment {
  const merNo = changes.merNo ?? 10_000_001
  const createdAt = changes.createdAt ?? new Date()
  const { timezone = 'UTC' } = changes
  const day = localDay(createdAt, timezone)
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
    timezone,
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

/** Returns the order as it is after its acceptance with its first attempt. */
export function anOrder(changes: Partial<AttemptedOrder> = {}): AttemptedOrder {
  const payment = aPayment()
  return { ...openOrderOf(payment, payment.attempt ?? anAttempt(payment.createdAt)), ...changes }
}

export function anAttempt(createdAt: Date, changes: Partial<NewAttempt> = {}): NewAttempt {
  const card = { first6: '424242', last4: '4242', brand: 'visa', fingerprint: 'fingerprint' }
  return { channel: 'card', card, askAt: new Date(createdAt.getTime() + 10_000), ...changes }
}

/** Returns an order on our page without an attempt. */
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

/** Returns the report of a success by the call right after acceptance. The report includes the accepted order. */
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
