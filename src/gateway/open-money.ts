// Opens the platform's signing key, caches of the tables that every payment reads, batches that store payments, refunds
// and payouts, and the links to their pages.
import { openMerchantCache } from '../money/merchants/merchant-cache.ts'
import { openPlatformKey } from '../money/merchants/platform-key.ts'
import { openMayNotify } from '../money/notifications/send.ts'
import type { DeliveryWorker } from '../money/notifications/worker.ts'
import type { FoundPayment } from '../money/order-queries/find-payment.ts'
import { createLinks } from '../money/orders/page-link.ts'
import { openPlatformLimits } from '../money/orders/platform-limits.ts'
import { openAcceptBatch } from '../money/payments/accept-payments.ts'
import { createForbidCard } from '../money/payments/forbid-card.ts'
import { openRecordBatch } from '../money/payments/record-outcomes.ts'
import { openPayoutBatches } from '../money/payouts/batches.ts'
import { openRates } from '../money/rates/rates.ts'
import { openRefundBatches } from '../money/refunds/batches.ts'
import { openRisk } from '../money/risk/risk.ts'
import { createSingleFlight } from '../platform/concurrency/single-flight.ts'
import type { OpenPlatform } from './open-platform.ts'

export type OpenKey = Awaited<ReturnType<typeof openKey>>
export type OpenCaches = Awaited<ReturnType<typeof openCaches>>
export type OpenBatches = ReturnType<typeof openBatches>

/** Opens the platform's signing key. Fails if the key was encrypted with another master key. */
export async function openKey({ db, vault, clock }: OpenPlatform) {
  return { platformKey: await openPlatformKey(db, vault, clock.now()) }
}

export async function openCaches({ db, vault, clock, log, maxQueue }: OpenPlatform) {
  const merchants = await openMerchantCache({ db, vault, clock, log })
  return {
    merchants,
    findMerchant: merchants.find,
    rates: await openRates({ db, clock, log }),
    risk: await openRisk({ db, clock, log, maxQueue }),
  }
}

export function openBatches(platform: OpenPlatform & OpenCaches, delivery: DeliveryWorker | undefined) {
  const { config, db, log, clock, vault, metrics, rates, maxQueue } = platform
  const pokeDelivery = () => delivery?.poke()
  return {
    mayNotify: openMayNotify(config),
    acceptBatch: openAcceptBatch(db, { maxQueue, observe: (size) => metrics.batch('accept', size) }),
    recordBatch: openRecordBatch(
      { db, rates, delivery },
      { observe: (size) => metrics.batch('record', size) },
    ),
    refundBatches: openRefundBatches({ db, rates }, maxQueue, metrics.batch),
    payoutBatches: openPayoutBatches({ db, rates }, pokeDelivery),
    pokeDelivery,
    payerCalls: createSingleFlight<FoundPayment | undefined>(),
    platformLimits: openPlatformLimits(db, clock),
    forbidCard: createForbidCard({ db, clock, log }),
    links: createLinks(vault, config.baseUrl),
    payoutLinks: createLinks(vault, config.baseUrl, 'payout'),
    receiptLinks: createLinks(vault, config.baseUrl, 'receipt'),
  }
}
