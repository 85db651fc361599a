// Payments on a test database, with channels that a test controls.
import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import type { Merchant } from '../../src/money/merchants/merchant.ts'
import { defaultPlan, type FeePlan } from '../../src/money/merchants/terms.ts'
import type { FoundPayment } from '../../src/money/order-queries/find-payment.ts'
import type { NewPayment } from '../../src/money/orders/new-order.ts'
import type { PlatformLimits } from '../../src/money/orders/platform-limits.ts'
import { acceptPayments, openAcceptBatch } from '../../src/money/payments/accept-payments.ts'
import { createForbidCard } from '../../src/money/payments/forbid-card.ts'
import { startAttempt, type WantedAttempt } from '../../src/money/payments/hosted/start-attempt.ts'
import { openRecordBatch } from '../../src/money/payments/record-outcomes.ts'
import { noRisk, type Risk } from '../../src/money/risk/risk.ts'
import { noBins } from '../../src/platform/base/bin-table.ts'
import { type Money, parseRate } from '../../src/platform/base/money.ts'
import { openVault } from '../../src/platform/base/secret.ts'
import { Gate } from '../../src/platform/concurrency/gate.ts'
import { createSingleFlight } from '../../src/platform/concurrency/single-flight.ts'
import type { Db } from '../../src/platform/postgres/db.ts'
import type { Channel } from '../../src/rails/contract/channel.ts'
import { createRouting, registerChannels } from '../../src/rails/routing/routing.ts'
import { alarmsOf } from '../../src/rails/toolkit/alarms.ts'
import { openStore } from '../../src/rails/toolkit/records/store.ts'
import { aMerchant } from '../harness/merchant-frame.ts'
import { aHosted } from './builders.ts'
import { aReference } from './reference.ts'

export type TestPayments = ReturnType<typeof openPayments>

export function openPayments(db: Db, given: readonly Channel[], risk: Risk = noRisk) {
  let nowMs = Date.now()
  const clock = { now: () => new Date(nowMs) }
  const channels = registerChannels(given)
  const alarms: string[] = []
  const alarm = (_tradeNo: string, what: string) => void alarms.push(what)
  const limits = new Map<string, PlatformLimits>()
  // Every currency is worth one dollar.
  const one = parseRate('1')
  const rates = { find: () => one, usdValue: ({ amount }: Money) => amount, close: () => {} }
  const deps = {
    db,
    clock,
    channels,
    routing: createRouting({ channels, clock }),
    vault: openVault(randomBytes(32)),
    rates,
    platformLimits: { of: async (method: string) => limits.get(method) },
    risk,
    reference: aReference,
    bins: noBins,
    acceptBatch: openAcceptBatch(db, { maxQueue: 1_000 }),
    recordBatch: openRecordBatch({ db, rates }),
    gate: new Gate({ most: 1_000, mostWorking: 1 }),
    payerCalls: createSingleFlight<FoundPayment | undefined>(),
    baseUrl: 'https://pay.example',
    log: pino({ level: 'silent' }),
    alarm,
    alarmsOf: (channel: string) =>
      alarmsOf(channel, { alarm, storeOf: (name) => openStore({ db, clock }, name) }),
    pokeDelivery: () => {},
    forbidCard: createForbidCard({ db, clock, log: pino({ level: 'silent' }) }),
  }
  return {
    deps,
    clock,
    alarms,
    /** The platform's limits by method. */
    limits,
    pass: (ms: number) => {
      nowMs += ms
    },
    /** Accepts an order on our page. */
    async hosted(changes: Partial<NewPayment> = {}): Promise<NewPayment> {
      const payment = aHosted({ createdAt: clock.now(), ...changes })
      const [accepted] = await acceptPayments(db, [payment])
      if (accepted?.kind !== 'accepted') throw new Error('the order was refused')
      return payment
    },
    start: (payment: NewPayment, changes: Partial<WantedAttempt> = {}, merchant: Merchant = aShop()) =>
      startAttempt(deps, merchant, {
        merNo: payment.merNo,
        tradeNo: payment.tradeNo,
        attempts: 0,
        method: 'card',
        card: { number: '4242424242424242', expiryMonth: '12', expiryYear: '2039', securityCode: '123' },
        terminals: ['WEB'],
        details: {},
        personal: {},
        completeUrl: 'https://pay.example/pay/token/complete',
        ...changes,
      }),
  }
}

/** Returns a fee plan without fees, except for the changes. */
export function aPlan(changes: Partial<FeePlan> = {}): FeePlan {
  return { ...defaultPlan, ...changes }
}

/** Returns the merchant of the orders from builders.ts. */
export function aShop(changes: Partial<Merchant> = {}): Merchant {
  return aMerchant({ merNo: 10_000_001, feePlans: new Map([['', aPlan()]]), ...changes })
}
