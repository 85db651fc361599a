// Composes a gateway from a database and settings. main.ts opens one gateway; tests open many.
import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { findDuplicate } from '../money/orders/accept-orders.ts'
import type { Config } from '../platform/config/config.ts'
import { listenAt } from '../platform/http/server/listen-at.ts'
import { TRANSPORT_SECURITY } from '../platform/pages/page.ts'
import { watchDatabase } from '../platform/runtime/database-health.ts'
import { buildOperation, type OperationDeps } from '../platform/runtime/health-routes.ts'
import { buildApp } from './app.ts'
import { handlersOf, interfacesOf } from './open-interfaces.ts'
import type { GatewayDeps } from './open-platform.ts'
import { openParts, type Worker } from './parts.ts'
import { watch } from './watch.ts'
import { type Forwarding, watchForwarding } from './watch-forwarding.ts'
import { startFirstWorkers, startWorkers } from './workers.ts'

export type Gateway = {
  /** True if this start created the demo merchant, which means that the sandbox is new. */
  readonly madeDemo: boolean
  listen(): Promise<string>
  /** Finishes the requests in progress, and stops everything that the gateway started. */
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
    ...(serves && { interfaces: interfacesOf(parts) }),
  })
  workers.push(...startWorkers(parts))
  // If `outdated` was called before the list `workers` was filled, the workers are stopped here.
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
      // Requests whose client has disconnected must finish too. The server does not wait for these requests.
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

/** True if browsers should use only https. A sandbox often shares its host name with programs that use plain http. */
function isHttpsOnly({ mode, baseUrl }: Config): boolean {
  return mode === 'live' && baseUrl.startsWith('https:')
}

/** In live, /readyz shows the public only whether the gateway is ready and how the request was forwarded. */
function publicHealth(forwarding: Forwarding): Pick<OperationDeps, 'isBrief' | 'detail'> {
  return { isBrief: true, detail: (request) => ({ forwarding: forwarding.healthFor(request) }) }
}
