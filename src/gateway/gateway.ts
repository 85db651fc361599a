// Composes the whole gateway from a database and settings. main.ts opens one gateway; tests open many.
import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { findDuplicate } from '../money/orders/accept-orders.ts'
import type { Config } from '../platform/config/config.ts'
import { listenAt } from '../platform/http/server/listen-at.ts'
import { TRANSPORT_SECURITY } from '../platform/pages/page.ts'
import { watchDatabase } from '../platform/runtime/database-health.ts'
import { buildOperation, type OperationDeps } from '../platform/runtime/health-routes.ts'
import { releaseVersion } from '../platform/runtime/start-up.ts'
import { buildApp } from './app.ts'
import { backOfficeOf, docsOf, handlersOf, homeOf, pagesOf, sandboxMailOf } from './open-interfaces.ts'
import type { GatewayDeps } from './open-platform.ts'
import { openParts, type Worker } from './parts.ts'
import { watch } from './watch.ts'
import { type Forwarding, watchForwarding } from './watch-forwarding.ts'
import { startFirstWorkers, startWorkers } from './workers.ts'

export type Gateway = {
  /** True if this start created the demo merchant, which means that the sandbox is new. */
  readonly madeDemo: boolean
  /** Starts to listen, and returns the address. */
  listen(): Promise<string>
  /** Accepts no further requests, finishes the requests in progress, and stops everything that the gateway started. */
  close(): Promise<void>
}

export async function openGateway(deps: GatewayDeps): Promise<Gateway> {
  const workers: Worker[] = []
  const health = await watchDatabase({
    ...deps,
    outdated: () => void Promise.all(workers.map((worker) => worker.stop())),
  })
  const parts = await openParts(deps, startFirstWorkers).catch((error: unknown) => {
    health.close()
    throw error
  })
  const { config, db, log, clock, metrics, platformKey, gate } = parts
  const serves = config.role !== 'worker'
  const version = releaseVersion()
  let closing = false
  watch(parts)
  const forwarding = watchForwarding(log, config.trustedProxies)
  const operation = {
    health,
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
    operation: {
      ...operation,
      ...(config.mode === 'live' && publicHealth(forwarding)),
      publicMetrics: config.mode === 'sandbox',
    },
    merchantApi: {
      mode: config.mode,
      mayNotify: parts.mayNotify,
      clock,
      findMerchant: parts.merchants.findAtOnce,
      keyUsed: parts.merchants.keyUsed,
      duplicateOf: (merNo, merOrderNo) => findDuplicate(db, merNo, merOrderNo, clock.now()),
      requestMacOf: (text) => parts.vault.mac('payment request', text),
      platformKey: platformKey.privateKey,
      gate,
      queryGate: parts.queryGate,
      handlers: serves ? handlersOf(parts) : {},
      observe: metrics.request,
      isOutdated: health.isOutdated,
      requestLog: parts.requestLog,
    },
    ...(serves && { ...pagesOf(parts), callbacks: parts }),
    ...(serves && { backOffice: backOfficeOf(parts) }),
    ...(serves && parts.mail.kind === 'sandbox' && { sandboxMail: sandboxMailOf(parts) }),
    ...(serves && { openApi: { baseUrl: config.baseUrl, version }, home: homeOf(parts, version) }),
    ...(serves && { docs: docsOf(parts) }),
    ...(serves && { reference: { sandbox: config.mode === 'sandbox', reference: parts.reference } }),
  })
  workers.push(...startWorkers(parts))
  // If the database was found to be newer before the workers were in the list, `outdated` has not stopped them.
  if (health.isOutdated()) await Promise.all(workers.map((worker) => worker.stop()))

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
      // The server does not wait for requests whose client has disconnected. These requests must finish too.
      while (gate.underWay > 0) await sleep(20)
      await Promise.all(workers.map((worker) => worker.stop()))
      await parts.requestLog?.close()
      parts.rates.close()
      parts.reference.close()
      parts.pauses.close()
      parts.risk.close()
      await parts.channelHealth
        .flush()
        .catch((err: unknown) => log.error({ err }, 'the health of channels was lost'))
      await parts.merchants.close()
      health.close()
      await ops?.close()
    },
  }
}

/**
 * True if browsers may be told to use only https for this host. Never true in sandbox, which often shares its host name
 * with programs that use plain http.
 */
function isHttpsOnly({ mode, baseUrl }: Config): boolean {
  return mode === 'live' && baseUrl.startsWith('https:')
}

/** Returns what /readyz tells the public in live: whether the gateway is ready, and how this request was forwarded. */
function publicHealth(forwarding: Forwarding): Pick<OperationDeps, 'isBrief' | 'detail'> {
  return { isBrief: true, detail: (request) => ({ forwarding: forwarding.healthFor(request) }) }
}
