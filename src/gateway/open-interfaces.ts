// Composes the interfaces: handlers for merchants, pages for payers and beneficiaries, the back office and the docs.

import type { BackOfficeDeps } from '../interfaces/backoffice/routes.ts'
import { readCookie, sessionCookie } from '../interfaces/backoffice/server/cookie.ts'
import type { Home } from '../interfaces/checkout/home-page.ts'
import { attemptLimits, entryLimits, linkLimits, orderLimits } from '../interfaces/checkout/limits.ts'
import { openCheckout } from '../interfaces/checkout/open-checkout.ts'
import { openLinkPage } from '../interfaces/checkout/payment-links/open-link-page.ts'
import { openPayoutPage } from '../interfaces/checkout/payouts/open-payout-page.ts'
import { openReceipts } from '../interfaces/checkout/receipt-page.ts'
import type { DocsDeps } from '../interfaces/docs/routes.ts'
import { type ExamDeps, runExam } from '../interfaces/exam/run-exam.ts'
import { readEntered } from '../interfaces/merchant-api/fields/read-entered.ts'
import { readPayout } from '../interfaces/merchant-api/fields/read-payout.ts'
import type { FrameDeps } from '../interfaces/merchant-api/frame.ts'
import { createAmountQueryHandler } from '../interfaces/merchant-api/handlers/amount-query.ts'
import { createBalanceQueryHandler } from '../interfaces/merchant-api/handlers/balance-query.ts'
import { createOrderListHandler } from '../interfaces/merchant-api/handlers/order-list.ts'
import { createOrderQueryHandler } from '../interfaces/merchant-api/handlers/order-query.ts'
import { createCashierHandler, createPaymentHandler } from '../interfaces/merchant-api/handlers/payment.ts'
import { createPayoutHandler } from '../interfaces/merchant-api/handlers/payout.ts'
import { createRefundHandler } from '../interfaces/merchant-api/handlers/refund.ts'
import { createReviewHandler, createUploadHandler } from '../interfaces/merchant-api/handlers/review.ts'
import { openSender } from '../money/notifications/send.ts'
import { updateDemo } from '../operator/demo/demo-file.ts'
import { firstPayments, tries } from '../operator/demo/demo-requests.ts'
import { findShop } from '../operator/demo/shop-address.ts'
import { examine } from '../operator/doctor/examine.ts'
import { openSessions } from '../people/sessions/find-session.ts'
import type { Config } from '../platform/config/config.ts'
import { enqueueAlert } from '../platform/mail/enqueue-mail.ts'
import { mailMoment } from '../platform/mail/mail.ts'
import type { SandboxMailDeps } from '../platform/mail/sandbox-mail-page.ts'
import { boundDb } from '../platform/postgres/bounded-db.ts'
import { releaseVersion } from '../platform/runtime/start-up.ts'
import type { Interfaces } from './app.ts'
import type { Parts } from './parts.ts'

/**
 * The back office gets about a third of the database connections, so that its slow searches leave enough connections
 * for payments.
 */
const BACK_OFFICE = { most: 6, mostWaiting: 200, waitMs: 10_000 }

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
    '/refund/apply': createRefundHandler({ ...parts, poke: () => parts.running.refunds?.poke() }),
    '/payout': createPayoutHandler({ ...parts, payoutPageUrl: parts.payoutLinks.pageUrl }),
    '/file/upload': createUploadHandler(parts),
    '/review/submit': createReviewHandler(parts),
    '/balance/query': createBalanceQueryHandler(parts),
    '/order/queryOrderList': createOrderListHandler(parts),
    '/order/queryAmount': createAmountQueryHandler(parts),
  }
}

export function interfacesOf(parts: Parts): Interfaces {
  const { baseUrl, mode } = parts.config
  const version = releaseVersion()
  return {
    ...pagesOf(parts),
    home: homeOf(parts, version),
    openApi: { baseUrl, version },
    docs: docsOf(parts),
    reference: { sandbox: mode === 'sandbox', reference: parts.reference },
    callbacks: parts,
    backOffice: backOfficeOf(parts),
    ...(parts.mail.kind === 'sandbox' && { sandboxMail: sandboxMailOf(parts) }),
  }
}

function pagesOf(parts: Parts) {
  const { config, clock, log, payoutLinks } = parts
  const { mode } = config
  const shared = {
    ...parts,
    sandbox: mode === 'sandbox',
    platformKey: parts.platformKey.privateKey,
    linkLimits: linkLimits(mode, clock),
  }
  return {
    checkout: openCheckout({
      ...shared,
      attemptLimits: attemptLimits(mode, clock),
      readEntered,
      onError: (err) => log.error({ err }, 'the live status of pages could not be read'),
    }),
    payoutPage: openPayoutPage({ ...shared, links: payoutLinks, entries: entryLimits(mode, clock) }),
    linkPage: openLinkPage({
      ...shared,
      orderLimits: orderLimits(mode, clock),
      refused: (linkId, why) => log.warn({ linkId, why }, 'a payment link cannot be paid'),
    }),
    receipts: openReceipts(shared),
  }
}

function backOfficeOf(parts: Parts): BackOfficeDeps {
  const { config, findMerchant, db, clock } = parts
  const bounded = { ...parts, db: boundDb(db, BACK_OFFICE) }
  return {
    ...bounded,
    mode: config.mode,
    secondPersonAbove: config.secondPersonAbove,
    readPayout: (fields) => readPayout(fields, parts.mayNotify),
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
    poke: () => parts.running.refunds?.poke(),
    registration: config.registration,
    pokeExports: () => parts.running.exports?.poke(),
    pokeBulkRefunds: () => parts.running.bulkRefunds?.poke(),
    selfUrl: selfUrl(config),
    otherUrl: config.otherUrl,
    platformPem: parts.platformKey.publicPem,
    secretChanged: (merNo, secret) => updateDemo(config.dataDir, merNo, secret),
    companyOf: async (merNo) => (await findMerchant(merNo))?.name ?? 'Tollgate',
  }
}

/**
 * The page of a sandbox's mails. If only this machine can reach the sandbox, everybody may read the page. Otherwise
 * only operators with the permission `platform.edit` may read it.
 */
function sandboxMailOf(parts: Parts): SandboxMailDeps {
  const { config, db, vault } = parts
  if (config.isLocal) return { db, vault, mayRead: async () => true }
  const sessions = openSessions({ ...parts, mode: config.mode })
  const cookie = sessionCookie(new URL(config.baseUrl).origin)
  return {
    db,
    vault,
    async mayRead({ headers, ip }) {
      const caller = await sessions.find(readCookie(cookie, headers.cookie), ip)
      return caller !== undefined && caller.factorAt !== null && caller.permissions.has('platform.edit')
    },
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

function homeOf({ config, clock }: Parts, version: string): Home {
  const { mode, baseUrl, dataDir } = config
  const demo = firstPayments({ dataDir, baseUrl, selfUrl: selfUrl(config), clock })
  const inSandbox = { demo, findShop: () => findShop(dataDir) }
  return { sandbox: mode === 'sandbox', baseUrl, version, ...(mode === 'sandbox' && inSandbox) }
}

function docsOf({ config }: Parts): DocsDeps {
  const { mode, isLocal, baseUrl, dataDir } = config
  const sandbox = mode === 'sandbox'
  const folder = new URL('../../', import.meta.url)
  const demo = tries({ dataDir, selfUrl: selfUrl(config) })
  return { sandbox, isLocal, baseUrl, folder, ...(sandbox && { demo }) }
}

/** The address for requests that this process sends to itself. */
function selfUrl({ host, port }: Config): string {
  const named = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${named.includes(':') ? `[${named}]` : named}:${port}`
}
