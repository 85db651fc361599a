// The whole gateway put together from a database and settings: what main starts, and what tests start many of.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { buildApp } from './app.ts'
import { type Clock, systemClock } from './base/clock.ts'
import type { Db } from './base/db.ts'
import { openVault } from './base/secret.ts'
import { createCardChannel } from './channels/card/card-channel.ts'
import { httpTransport, type IssuerTransport, inProcessTransport } from './channels/card/issuer-client.ts'
import type { Channel } from './channels/contract.ts'
import { registerChannels } from './channels/registry.ts'
import { createLinks } from './checkout/link.ts'
import { openCheckout } from './checkout/open-checkout.ts'
import type { CheckoutDeps } from './checkout/routes.ts'
import type { Config } from './config.ts'
import { makeDemo } from './demo.ts'
import type { FrameDeps } from './merchant-api/frame.ts'
import { createOrderQueryHandler } from './merchant-api/handle-order-query.ts'
import { createPaymentHandler } from './merchant-api/handle-payment.ts'
import { openMerchantBook } from './merchants/merchant-book.ts'
import { openPlatformKey } from './merchants/platform-key.ts'
import { openPlatformLimits } from './merchants/platform-limits.ts'
import { createMetrics } from './metrics.ts'
import { findDuplicate } from './payments/accept-payments.ts'
import { openBatches } from './payments/batches.ts'
import { countUnknown, startResolver } from './payments/worker.ts'
import { openRates } from './rates/rates.ts'
import { type Sandbox, sandboxSecret, startSandbox } from './sandbox/server.ts'

export type Gateway = {
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
  const app = buildApp({
    log,
    trustedProxies: config.trustedProxies,
    operation: { db, metrics, platformPublicPem: platformKey.publicPem, isClosing: () => closing },
    merchantApi: {
      mode: config.mode,
      clock,
      findMerchant: parts.findMerchant,
      keyUsed: parts.merchants.keyUsed,
      duplicateOf: (merNo, merOrderNo) => findDuplicate(db, merNo, merOrderNo, clock.now()),
      platformKey: platformKey.privateKey,
      handlers: serves ? handlersOf(parts) : {},
      observe: metrics.request,
    },
    ...(serves && { checkout: checkoutOf(parts) }),
  })
  const workers = config.role === 'api' ? [] : startWorkers(parts)

  return {
    listen: () => app.listen({ host: config.host, port: config.port }),
    async close() {
      closing = true
      await app.close()
      // Whose client hung up is not known to the server any more, and is finished all the same.
      while (gate.underWay > 0) await sleep(20)
      await Promise.all(workers.map((worker) => worker.stop()))
      parts.rates.close()
      await parts.merchants.close()
      await parts.sandbox?.close()
    },
  }
}

type Parts = Awaited<ReturnType<typeof openParts>>

/** What handlers, pages and workers are made of. */
async function openParts(deps: GatewayDeps) {
  const { config, db, log, clock = systemClock, maxUnderWay = MAX_UNDER_WAY } = deps
  const vault = openVault(config.masterKey)
  const platformKey = await openPlatformKey(db, vault, clock.now())
  if (config.mode === 'sandbox' && config.role !== 'worker') await makeDemo({ db, vault, config, clock, log })
  const metrics = createMetrics()
  const merchants = await openMerchantBook({ db, vault, clock, log })
  const rates = await openRates({ db, clock, log })
  const sandbox = await openSandbox(config)
  const channels = registerChannels(cardChannels(config, sandbox, clock))
  const batches = openBatches({ db, rates }, maxUnderWay, metrics.batch)
  return {
    config,
    db,
    log,
    clock,
    vault,
    platformKey,
    metrics,
    merchants,
    findMerchant: (merNo: number) => merchants.find(merNo),
    rates,
    sandbox,
    channels,
    batches,
    gate: { most: maxUnderWay, underWay: 0 },
    links: createLinks(vault, config.baseUrl),
    platformLimits: openPlatformLimits(db, clock),
    alarm(tradeNo: string, what: string) {
      metrics.alarm()
      log.error({ tradeNo, what }, 'an outcome needs a person to look at it')
    },
  }
}

/** The merchant endpoints that are served, and by what. */
function handlersOf(parts: Parts): FrameDeps['handlers'] {
  return {
    '/payment': createPaymentHandler({ ...parts, pageUrl: parts.links.pageUrl }),
    '/order/query': createOrderQueryHandler(parts),
  }
}

function checkoutOf(parts: Parts): CheckoutDeps {
  const { config, platformKey } = parts
  return openCheckout({ ...parts, sandbox: config.mode === 'sandbox', platformKey: platformKey.privateKey })
}

/** What goes on in the background, on any number of nodes. */
type Worker = { stop(): Promise<void> }

function startWorkers(parts: Parts): Worker[] {
  return [startResolver(parts)]
}

function watch({ metrics, gate, batches, db }: Parts): void {
  metrics.gauge('tollgate_payments_under_way', 'Payments between request and answer', () => gate.underWay)
  metrics.gauge('tollgate_accept_queue', 'Payments that wait to be accepted', () => batches.accept.depth())
  metrics.gauge('tollgate_record_queue', 'Outcomes that wait to be recorded', () => batches.record.depth())
  metrics.gauge('tollgate_unknown_outcomes', 'Attempts whose outcome is not known', () => countUnknown(db))
}

/** Live has no simulated counterparties. */
async function openSandbox(config: Config): Promise<Sandbox | undefined> {
  if (config.mode === 'live' || config.cardIssuerUrl !== undefined) return undefined
  const { host, dataDir, minuteMs, cardIssuerSecret: secret } = config
  return startSandbox({ host, dataDir, minuteMs, secret })
}

function cardChannels(config: Config, sandbox: Sandbox | undefined, clock: Clock): Channel[] {
  const transport = issuerTransport(config, sandbox)
  return transport === undefined
    ? []
    : [createCardChannel({ transport, timeoutMs: config.channelTimeoutMs, clock })]
}

function issuerTransport(config: Config, sandbox: Sandbox | undefined): IssuerTransport | undefined {
  if (sandbox !== undefined) return inProcessTransport(sandbox.issuer)
  if (config.cardIssuerUrl === undefined) return undefined
  const secret = config.cardIssuerSecret ?? sandboxSecret(config.dataDir)
  return httpTransport({ url: config.cardIssuerUrl, secret })
}
