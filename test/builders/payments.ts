// Payments on a test database, with channels that a test controls.
import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { noBins } from '../src/base/bin-table.ts'
import { type Money, parseRate } from '../src/base/money.ts'
import { openVault } from '../src/base/secret.ts'
import { alarmsOf } from '../src/channels/alarms.ts'
import type { Channel } from '../src/channels/contract.ts'
import { openStore } from '../src/channels/open-store.ts'
import { createRouting, registerChannels } from '../src/channels/routing.ts'
import { Gate } from '../src/concurrency/gate.ts'
import { createSingleFlight } from '../src/concurrency/single-flight.ts'
import type { FeePlan, Merchant } from '../src/merchants/merchant.ts'
import type { FoundPayment } from '../src/order-queries/find-payment.ts'
import type { NewPayment } from '../src/orders/new-order.ts'
import type { PlatformLimits } from '../src/orders/platform-limits.ts'
import { acceptPayments } from '../src/payments/accept-payments.ts'
import { openBatches } from '../src/payments/batches.ts'
import { createForbidCard } from '../src/payments/forbid-card.ts'
import { startAttempt, type WantedAttempt } from '../src/payments/hosted/start-attempt.ts'
import type { Db } from '../src/postgres/db.ts'
import { noRisk, type Risk } from '../src/risk/risk.ts'
import { aHosted } from './builders.ts'
import { aMerchant } from './merchant-frame.ts'
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
    batches: openBatches({ db, rates }, 1_000, () => {}),
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
    /** An order on our page, accepted now. */
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

/** A fee plan without fees, except for the changes. */
export function aPlan(changes: Partial<FeePlan> = {}): FeePlan {
  return {
    feeBps: 0,
    feeFixed: '0.00',
    refundFee: '0.00',
    chargebackFee: '0.00',
    marginBps: 0,
    marginDays: 180,
    settleDays: 1,
    ...changes,
  }
}

/** The merchant of the orders from builders.ts. */
export function aShop(changes: Partial<Merchant> = {}): Merchant {
  return aMerchant({ merNo: 10_000_001, feePlans: new Map([['', aPlan()]]), ...changes })
}
