// Composes the whole gateway from a database and settings. Main starts one; tests start many.
import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import { type GatewayDeps, openParts } from './gateway/parts.ts'
import {
  backOfficeOf,
  checkoutOf,
  docsOf,
  handlersOf,
  homeOf,
  linkPageOf,
  payoutPageOf,
  receiptsOf,
} from './gateway/served.ts'
import { watch } from './gateway/watch.ts'
import { watchForwarding } from './gateway/watch-forwarding.ts'
import { startWorkers } from './gateway/workers.ts'
import { listenAt } from './http/server/listen-at.ts'
import { findDuplicate } from './orders/accept-orders.ts'
import { TRANSPORT_SECURITY } from './pages/page.ts'
import { buildOperation } from './runtime/health-routes.ts'
import { releaseVersion } from './runtime/release.ts'

export type Gateway = {
  /** This start created the demo merchant, so the sandbox is new. */
  readonly madeDemo: boolean
  /** Starts to serve, and returns the address. */
  listen(): Promise<string>
  /** Accepts nothing new, finishes requests under way, and stops everything that it started. */
  close(): Promise<void>
}

export async function openGateway(deps: GatewayDeps): Promise<Gateway> {
  const parts = await openParts(deps)
  const { config, db, log, clock, metrics, platformKey, gate } = parts
  const serves = config.role !== 'worker'
  const version = releaseVersion()
  let closing = false
  watch(parts)
  const forwarding = watchForwarding(log, config.trustedProxies)
  const operation = {
    db,
    metrics,
    platformPublicPem: platformKey.publicPem,
    isClosing: () => closing,
    detail: (request: IncomingMessage) => {
      return { notifications: parts.watchdog.health(), forwarding: forwarding.healthFor(request) }
    },
  }
  const ops = config.ops && buildOperation(operation)
  const app = buildApp({
    log,
    trustedProxies: config.trustedProxies,
    forwardedByStranger: forwarding.byStranger,
    maxConnections: config.maxConnections,
    rawServer: config.fastPaths.rawServer,
    ...(isHttpsOnly(config) && { siteHeaders: TRANSPORT_SECURITY }),
    operation: { ...operation, publicMetrics: config.mode === 'sandbox' },
    merchantApi: {
      mode: config.mode,
      clock,
      findMerchant: parts.merchants.findAtOnce,
      keyUsed: parts.merchants.keyUsed,
      duplicateOf: (merNo, merOrderNo) => findDuplicate(db, merNo, merOrderNo, clock.now()),
      platformKey: platformKey.privateKey,
      gate,
      queryGate: parts.queryGate,
      handlers: serves ? handlersOf(parts) : {},
      observe: metrics.request,
      requestLog: parts.requestLog,
    },
    ...(serves && { checkout: checkoutOf(parts), payoutPage: payoutPageOf(parts), callbacks: parts }),
    ...(serves && { linkPage: linkPageOf(parts), receipts: receiptsOf(parts) }),
    ...(serves && { backOffice: backOfficeOf(parts) }),
    ...(serves && parts.mail.kind === 'sandbox' && { sandboxMail: parts }),
    ...(serves && { openApi: { baseUrl: config.baseUrl, version }, home: homeOf(parts, version) }),
    ...(serves && { docs: docsOf(parts) }),
    ...(serves && { reference: { sandbox: config.mode === 'sandbox', reference: parts.reference } }),
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
      // The server does not wait for requests whose client has disconnected, but they must finish too.
      while (gate.underWay > 0) await sleep(20)
      await Promise.all(workers.map((worker) => worker.stop()))
      await parts.requestLog?.close()
      await parts.watchdog.stop()
      await parts.channelsFile?.stop()
      parts.rates.close()
      parts.reference.close()
      parts.pauses.close()
      parts.risk.close()
      await parts.bins.close()
      await parts.channelHealth
        .close()
        .catch((err: unknown) => log.error({ err }, 'the health of channels was lost'))
      await parts.merchants.close()
      await ops?.close()
    },
  }
}

/** Live only: a sandbox often uses plain http, on a host name that it shares with other programs. */
function isHttpsOnly({ mode, baseUrl }: Config): boolean {
  return mode === 'live' && baseUrl.startsWith('https:')
}
