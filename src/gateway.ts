// The whole gateway put together from a database and settings: what main starts, and what tests start many of.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { buildApp } from './app.ts'
import { startAudit } from './audit/worker.ts'
import { createAddressGuard } from './base/address-guard.ts'
import { type Clock, systemClock } from './base/clock.ts'
import type { Db } from './base/db.ts'
import { createGuardedConnections } from './base/guarded-connections.ts'
import { openVault } from './base/secret.ts'
import { createSingleFlight } from './base/single-flight.ts'
import { registerPayoutRails } from './channels/payout/registry.ts'
import { registerChannels } from './channels/registry.ts'
import { createRouting } from './channels/routing.ts'
import type { ChannelTools } from './channels/settings.ts'
import { startDisputes } from './chargebacks/worker.ts'
import { createLinks } from './checkout/link.ts'
import { linkLimits } from './checkout/link-limits.ts'
import { openCheckout } from './checkout/open-checkout.ts'
import { openPayoutPage } from './checkout/open-payout-page.ts'
import type { CheckoutDeps } from './checkout/routes.ts'
import { entryLimits, tryLimits } from './checkout/try-limits.ts'
import type { Config } from './config.ts'
import { makeDemo } from './demo.ts'
import { openChannels, openSandbox, payoutRails } from './gateway/counterparties.ts'
import { listenAt } from './gateway/listen.ts'
import { watch } from './gateway/watch.ts'
import { watchForwarding } from './gateway/watch-forwarding.ts'
import type { FrameDeps } from './merchant-api/frame.ts'
import { createAmountQueryHandler } from './merchant-api/handle-amount-query.ts'
import { createBalanceQueryHandler } from './merchant-api/handle-balance-query.ts'
import { createCashierHandler } from './merchant-api/handle-cashier.ts'
import { createOrderListHandler } from './merchant-api/handle-order-list.ts'
import { createOrderQueryHandler } from './merchant-api/handle-order-query.ts'
import { createPaymentHandler } from './merchant-api/handle-payment.ts'
import { createPayoutHandler } from './merchant-api/handle-payout.ts'
import { createRefundHandler } from './merchant-api/handle-refund.ts'
import { createReviewHandler } from './merchant-api/handle-review.ts'
import { createUploadHandler } from './merchant-api/handle-upload.ts'
import { readEntered } from './merchant-api/read-entered.ts'
import { openMerchantBook } from './merchants/merchant-book.ts'
import { openPlatformKey } from './merchants/platform-key.ts'
import { openPlatformLimits } from './merchants/platform-limits.ts'
import { createMetrics } from './metrics.ts'
import { TIMEOUT_MS } from './notifications/schedule.ts'
import { createSender, type Sender } from './notifications/send.ts'
import { startWatchdog } from './notifications/watchdog.ts'
import { startDelivery } from './notifications/worker.ts'
import { buildOperation } from './operation.ts'
import { TRANSPORT_SECURITY } from './pages/page.ts'
import { findDuplicate } from './payments/accept-payments.ts'
import { type Batches, openBatches } from './payments/batches.ts'
import type { FoundPayment } from './payments/find-payment.ts'
import { startFolding } from './payments/fold-worker.ts'
import { startHostedWorker } from './payments/hosted-worker.ts'
import { startMilestones } from './payments/milestone-worker.ts'
import { createUseToken } from './payments/use-token.ts'
import { startResolver } from './payments/worker.ts'
import { openPayoutBatches } from './payouts/batches.ts'
import { startPayoutWorker } from './payouts/worker.ts'
import { openRates } from './rates/rates.ts'
import { openRefundBatches } from './refunds/batches.ts'
import { startRefundWorker } from './refunds/worker.ts'
import { startReviewWorker } from './reviews/worker.ts'
import { startSettlement } from './settlement/worker.ts'

export type Gateway = {
  /** This start made the demo merchant: nobody has used this sandbox before. */
  readonly madeDemo: boolean
  /** Serves from now on; the address. */
  listen(): Promise<string>
  /** Takes nothing new, finishes what is under way, and stops all that it started. */
  close(): Promise<void>
}

export type GatewayDeps = {
  readonly config: Config
  readonly db: Db
  readonly log: Logger
  readonly clock?: Clock
  readonly maxUnderWay?: number
}

/** Payments under way at once, and waiting to be accepted; beyond it callers are told to come back. */
const MAX_UNDER_WAY = 4_096

export async function openGateway(deps: GatewayDeps): Promise<Gateway> {
  const parts = await openParts(deps)
  const { config, db, log, clock, metrics, platformKey, gate } = parts
  const serves = config.role !== 'worker'
  let closing = false
  watch(parts)
  const forwarding = watchForwarding(log)
  const operation = {
    db,
    metrics,
    platformPublicPem: platformKey.publicPem,
    isClosing: () => closing,
    detail: () => ({ notifications: parts.watchdog.health(), forwarding: forwarding.health() }),
  }
  const ops = config.ops && buildOperation(operation)
  const app = buildApp({
    log,
    trustedProxies: config.trustedProxies,
    forwardedByStranger: forwarding.byStranger,
    maxConnections: config.maxConnections,
    ...(isHttpsOnly(config) && { siteHeaders: TRANSPORT_SECURITY }),
    operation: { ...operation, publicMetrics: config.mode === 'sandbox' },
    merchantApi: {
      mode: config.mode,
      clock,
      findMerchant: (merNo) => parts.merchants.held(merNo) ?? parts.findMerchant(merNo),
      keyUsed: parts.merchants.keyUsed,
      duplicateOf: (merNo, merOrderNo) => findDuplicate(db, merNo, merOrderNo, clock.now()),
      platformKey: platformKey.privateKey,
      handlers: serves ? handlersOf(parts) : {},
      observe: metrics.request,
    },
    ...(serves && { checkout: checkoutOf(parts), payoutPage: payoutPageOf(parts), callbacks: parts }),
    ...(serves && { home: { sandbox: config.mode === 'sandbox', baseUrl: config.baseUrl } }),
  })
  const workers = config.role === 'api' ? [] : startWorkers(parts)

  return {
    madeDemo: parts.madeDemo,
    async listen() {
      const address = await listenAt(app, config, 'PORT or HOST')
      if (ops && config.ops) await listenAt(ops, config.ops, 'TOLLGATE_OPS_PORT or TOLLGATE_OPS_HOST')
      return address
    },
    async close() {
      closing = true
      await app.close()
      // Whose client hung up is not known to the server any more, and is finished all the same.
      while (gate.underWay > 0) await sleep(20)
      await Promise.all(workers.map((worker) => worker.stop()))
      await parts.watchdog.stop()
      parts.rates.close()
      await parts.merchants.close()
      await parts.sandbox?.close()
      await ops?.close()
    },
  }
}

/** A sandbox is often at plain http, and on a name that other things of its owner share. */
function isHttpsOnly({ mode, baseUrl }: Config): boolean {
  return mode === 'live' && baseUrl.startsWith('https:')
}

type Parts = Awaited<ReturnType<typeof openParts>>

/** What handlers, pages and workers are made of. */
async function openParts(deps: GatewayDeps) {
  const { config, db, log, clock = systemClock, maxUnderWay = MAX_UNDER_WAY } = deps
  const vault = openVault(config.masterKey)
  const platformKey = await openPlatformKey(db, vault, clock.now())
  const wantsDemo = config.mode === 'sandbox' && config.role !== 'worker'
  const madeDemo = wantsDemo && (await makeDemo({ db, vault, config, clock, log }))
  const metrics = createMetrics()
  const merchants = await openMerchantBook({ db, vault, clock, log })
  const rates = await openRates({ db, clock, log })
  const sandbox = await openSandbox(config)
  const channels = registerChannels(await openChannels(config, sandbox, toolsOf(deps)))
  const findMerchant = (merNo: number) => merchants.find(merNo)
  const delivery =
    config.role === 'api'
      ? undefined
      : startDelivery({
          db,
          clock,
          log,
          findMerchant,
          platformKey: platformKey.privateKey,
          sender: openSender(config),
          minuteMs: config.minuteMs,
          observe: metrics.delivery,
        })
  const batches = openBatches({ db, rates }, maxUnderWay, metrics.batch)
  const refundBatches = openRefundBatches({ db, rates }, maxUnderWay, metrics.batch)
  const alarm = (tradeNo: string, what: string) => {
    metrics.alarm()
    log.error({ tradeNo, what }, 'an outcome needs a person to look at it')
  }
  const refundDeps = { db, clock, log, channels, refundBatches, alarm }
  const audit = config.role === 'api' ? undefined : startAudit({ db, clock, log, alarm: metrics.alarm })
  return {
    config,
    db,
    log,
    clock,
    vault,
    platformKey,
    madeDemo,
    metrics,
    merchants,
    findMerchant,
    rates,
    sandbox,
    channels,
    routing: createRouting({ channels, clock }),
    baseUrl: config.baseUrl,
    delivery,
    pokeDelivery: () => delivery?.poke(),
    watchdog: startWatchdog({ db, clock, log }),
    refundBatches,
    refundWorker: config.role === 'api' ? undefined : startRefundWorker(refundDeps),
    batches: delivery === undefined ? batches : poking(batches, delivery.poke),
    gate: { most: maxUnderWay, underWay: 0 },
    payerCalls: createSingleFlight<FoundPayment | undefined>(),
    links: createLinks(vault, config.baseUrl),
    linkLimits: linkLimits(config.mode, clock),
    payoutLinks: createLinks(vault, config.baseUrl, 'payout'),
    payoutBatches: openPayoutBatches({ db, rates }, () => delivery?.poke()),
    rails: registerPayoutRails(payoutRails(config, sandbox)),
    platformLimits: openPlatformLimits(db, clock),
    alarm,
    audit,
  }
}

function toolsOf({ config, db, clock = systemClock }: GatewayDeps): ChannelTools {
  return { clock, timeoutMs: config.channelTimeoutMs, useToken: createUseToken({ db, clock }) }
}

/** The merchant endpoints that are served, and by what. */
function handlersOf(parts: Parts): FrameDeps['handlers'] {
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

function checkoutOf(parts: Parts): CheckoutDeps {
  const { config, platformKey, clock, log } = parts
  return openCheckout({
    ...parts,
    sandbox: config.mode === 'sandbox',
    platformKey: platformKey.privateKey,
    tries: tryLimits(config.mode, clock),
    readEntered,
    onFault: (err) => log.error({ err }, 'the live status of pages cannot look'),
  })
}

/** Payouts have batches of their own, under the same name. */
function payoutDeps(parts: Parts) {
  return { ...parts, batches: parts.payoutBatches }
}

function payoutPageOf(parts: Parts) {
  const { config, platformKey, clock, payoutLinks: links } = parts
  return openPayoutPage({
    ...payoutDeps(parts),
    sandbox: config.mode === 'sandbox',
    links,
    platformKey: platformKey.privateKey,
    entries: entryLimits(config.mode, clock),
  })
}

/** What goes on in the background, on any number of nodes. */
type Worker = { stop(): Promise<void> }

function startWorkers(parts: Parts): Worker[] {
  const { minuteMs } = parts.config
  const money = [startSettlement(parts), startFolding(parts), startDisputes({ ...parts, minuteMs })]
  const payments = [startResolver(parts), startHostedWorker(parts), startReviewWorker(parts)]
  const others = [
    startPayoutWorker(payoutDeps(parts)),
    startMilestones(parts),
    parts.refundWorker,
    parts.delivery,
    parts.audit,
  ]
  return [...money, ...payments, ...others].filter((worker) => worker !== undefined)
}

/** Outcomes that were just recorded left notifications behind: their first attempt leaves at once. */
function poking(batches: Batches, poke: () => void): Batches {
  const { record } = batches
  const submit: typeof record.submit = async (report) => {
    const recorded = await record.submit(report)
    if (recorded.changed) poke()
    return recorded
  }
  return { ...batches, record: { ...record, submit } }
}

function openSender({ mode, notifyPorts, notifyAllow }: Config): Sender {
  const guard = createAddressGuard({
    loopbackAllowed: mode === 'sandbox',
    allow: notifyAllow,
    ports: notifyPorts,
  })
  return createSender({ guard, connections: createGuardedConnections(guard), timeoutMs: TIMEOUT_MS })
}
