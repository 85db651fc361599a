// Composes the handlers for merchants, payers and beneficiaries.

import type { BackOfficeDeps } from '../backoffice/routes.ts'
import { attemptLimits, entryLimits, orderLimits } from '../checkout/attempt-limits.ts'
import type { Home } from '../checkout/home-page.ts'
import { openCheckout } from '../checkout/open-checkout.ts'
import { openLinkPage } from '../checkout/payment-links/open-link-page.ts'
import { openPayoutPage } from '../checkout/payouts/open-payout-page.ts'
import { openReceipts } from '../checkout/receipts/open-receipts.ts'
import type { CheckoutDeps } from '../checkout/routes.ts'
import type { Config } from '../config.ts'
import { updateDemo } from '../demo/demo-file.ts'
import { firstPayments } from '../demo/first-payments.ts'
import { findShop } from '../demo/shop-address.ts'
import { tries } from '../demo/tries.ts'
import type { DocsDeps } from '../docs/routes.ts'
import { examine } from '../doctor/examine.ts'
import { type ExamDeps, runExam } from '../exam/run-exam.ts'
import { enqueueAlert } from '../mail/enqueue-alert.ts'
import { mailMoment } from '../mail/mail.ts'
import { readEntered } from '../merchant-api/fields/read-entered.ts'
import { readPayout } from '../merchant-api/fields/read-payout.ts'
import type { FrameDeps } from '../merchant-api/frame.ts'
import { createAmountQueryHandler } from '../merchant-api/handlers/amount-query.ts'
import { createBalanceQueryHandler } from '../merchant-api/handlers/balance-query.ts'
import { createCashierHandler } from '../merchant-api/handlers/cashier.ts'
import { createOrderListHandler } from '../merchant-api/handlers/order-list.ts'
import { createOrderQueryHandler } from '../merchant-api/handlers/order-query.ts'
import { createPaymentHandler } from '../merchant-api/handlers/payment.ts'
import { createPayoutHandler } from '../merchant-api/handlers/payout.ts'
import { createRefundHandler } from '../merchant-api/handlers/refund.ts'
import { createReviewHandler } from '../merchant-api/handlers/review.ts'
import { createUploadHandler } from '../merchant-api/handlers/upload.ts'
import { openSender } from '../notifications/open-sender.ts'
import { boundDb } from '../postgres/bounded-db.ts'
import type { Parts } from './parts.ts'

/** A third of the connections: whatever people search for, payments keep the others. */
const BACK_OFFICE = { most: 6, mostWaiting: 200, waitMs: 10_000 }

/** The merchant endpoints and their handlers. */
const CHECK_WITHIN_MS = 30_000

export function handlersOf(parts: Parts): FrameDeps['handlers'] {
  const { pageUrl } = parts.links
  const cashier = createCashierHandler({ ...parts, pageUrl })
  return {
    '/payment': createPaymentHandler({ ...parts, pageUrl }),
    '/cashier/checkStand': cashier,
    '/cashier/checkStandPay': cashier,
    '/cashier/checkStandPayment': cashier,
    '/order/query': createOrderQueryHandler(parts),
    '/refund/apply': createRefundHandler({ ...parts, poke: () => parts.refundWorker?.poke() }),
    '/payout': createPayoutHandler({ ...payoutDeps(parts), payoutPageUrl: parts.payoutLinks.pageUrl }),
    '/file/upload': createUploadHandler(parts),
    '/review/submit': createReviewHandler(parts),
    '/balance/query': createBalanceQueryHandler(parts),
    '/order/queryOrderList': createOrderListHandler(parts),
    '/order/queryAmount': createAmountQueryHandler(parts),
  }
}

export function checkoutOf(parts: Parts): CheckoutDeps {
  const { config, platformKey, clock, log } = parts
  return openCheckout({
    ...parts,
    sandbox: config.mode === 'sandbox',
    platformKey: platformKey.privateKey,
    attemptLimits: attemptLimits(config.mode, clock),
    readEntered,
    onError: (err) => log.error({ err }, 'the live status of pages could not be read'),
  })
}

/** Payouts have their own batches, under the same name. */
export function payoutDeps(parts: Parts) {
  return { ...parts, batches: parts.payoutBatches }
}

export function payoutPageOf(parts: Parts) {
  const { config, platformKey, clock, payoutLinks: links } = parts
  return openPayoutPage({
    ...payoutDeps(parts),
    sandbox: config.mode === 'sandbox',
    links,
    platformKey: platformKey.privateKey,
    entries: entryLimits(config.mode, clock),
  })
}

export function linkPageOf(parts: Parts) {
  const { config, clock, log } = parts
  return openLinkPage({
    ...parts,
    sandbox: config.mode === 'sandbox',
    orderLimits: orderLimits(config.mode, clock),
    refused: (linkId, why) => log.warn({ linkId, why }, 'a payment link cannot be paid'),
  })
}

export function receiptsOf(parts: Parts) {
  return openReceipts({ ...parts, sandbox: parts.config.mode === 'sandbox' })
}

export function backOfficeOf(parts: Parts): BackOfficeDeps {
  const { config, findMerchant, db, clock } = parts
  const bounded = { ...parts, db: boundDb(db, BACK_OFFICE) }
  return {
    ...bounded,
    mode: config.mode,
    secondPersonAbove: config.secondPersonAbove,
    readPayout: (fields) => readPayout(fields, config.mode),
    tellAccountChanged: (tx, { merNo, what, run, by, at }) =>
      enqueueAlert(tx, {
        merNo,
        kind: 'payout-account',
        values: {
          what,
          by,
          at: mailMoment(at),
          ...(run && { run: run.runId, more: String(run.more) }),
        },
        now: at,
      }),
    channelEntries: () => parts.connections.entries(),
    connectionOf: (name) => parts.connections.named(name),
    checkChannel: (name) => parts.connections.check(name, AbortSignal.timeout(CHECK_WITHIN_MS)),
    examine: (found) =>
      examine({
        config: () => config,
        clock,
        openDatabase: async () => ({ db, close: async () => {} }),
        found,
      }),
    runExam: (wanted, report) => runExam(examDeps(bounded), wanted, report),
    poke: () => parts.refundWorker?.poke(),
    registration: config.registration,
    pokeExports: () => parts.exportWorker?.poke(),
    pokeBulkRefunds: () => parts.bulkRefundWorker?.poke(),
    selfUrl: selfUrl(config),
    otherUrl: config.otherUrl,
    platformPem: parts.platformKey.publicPem,
    secretChanged: (merNo, secret) => updateDemo(config.dataDir, merNo, secret),
    companyOf: async (merNo) => (await findMerchant(merNo))?.name ?? 'Tollgate',
  }
}

function examDeps(parts: Parts): ExamDeps {
  const { config, platformKey } = parts
  return {
    ...parts,
    mode: config.mode,
    platformKey: platformKey.privateKey,
    gatewayUrl: selfUrl(config),
    openSender: (pace) => openSender(config, pace),
  }
}

export function homeOf({ config, clock }: Parts, version: string): Home {
  const { mode, baseUrl, dataDir } = config
  const demo = firstPayments({ dataDir, baseUrl, selfUrl: selfUrl(config), clock })
  const inSandbox = { demo, findShop: () => findShop(dataDir) }
  return { sandbox: mode === 'sandbox', baseUrl, version, ...(mode === 'sandbox' && inSandbox) }
}

export function docsOf({ config }: Parts): DocsDeps {
  const { mode, baseUrl, dataDir } = config
  const sandbox = mode === 'sandbox'
  const folder = new URL('../../', import.meta.url)
  return { sandbox, baseUrl, folder, ...(sandbox && { demo: tries({ dataDir, selfUrl: selfUrl(config) }) }) }
}

/** Where this process serves, for requests that it sends to itself. */
function selfUrl({ host, port }: Config): string {
  const named = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${named.includes(':') ? `[${named}]` : named}:${port}`
}
