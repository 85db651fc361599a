// Endpoints for health, metrics and the platform's public key. In live, the public port does not serve the metrics. If
// TOLLGATE_OPS_PORT is set, a second port, which need not be public, serves health and metrics.
import type { IncomingMessage } from 'node:http'
import Fastify, { type FastifyInstance } from 'fastify'
import { createSingleFlight } from '../concurrency/single-flight.ts'
import type { DatabaseHealth } from './database-health.ts'
import type { Metrics } from './metrics.ts'

export type OperationDeps = {
  readonly health: Pick<DatabaseHealth, 'check'>
  readonly metrics: Metrics
  readonly platformPublicPem: string
  readonly isClosing: () => boolean
  /** True to leave out why the gateway is not ready, because strangers can read the response. */
  readonly isBrief?: boolean
  /** Facts that /readyz shows to people. These facts have no effect on readiness. */
  readonly detail?: (request: IncomingMessage) => Readonly<Record<string, unknown>>
}

const OPS_REQUEST_MS = 10_000

export function buildOperation(deps: OperationDeps): FastifyInstance {
  const app = Fastify({ requestTimeout: OPS_REQUEST_MS, bodyLimit: 1024, forceCloseConnections: true })
  registerHealth(app, deps)
  registerMetrics(app, deps)
  return app
}

export function registerHealth(app: FastifyInstance, deps: OperationDeps): void {
  app.get('/healthz', async () => ({ status: 'ok' }))

  app.get('/readyz', async (request, reply) => {
    const checks = { ...(await deps.health.check()), serving: !deps.isClosing() }
    const ready = Object.values(checks).every(Boolean)
    return reply.code(ready ? 200 : 503).send({
      status: ready ? 'ready' : 'not ready',
      ...(!deps.isBrief && { checks }),
      detail: deps.detail?.(request.raw),
    })
  })
}

/** Serves the metrics. Concurrent requests share one text, because everybody may request the metrics of a sandbox. */
export function registerMetrics(app: FastifyInstance, deps: Pick<OperationDeps, 'metrics'>): void {
  const texts = createSingleFlight<string>()
  app.get('/metrics', async (_request, reply) => {
    const { contentType, text } = deps.metrics
    return reply.type(contentType).send(await texts.run('metrics', '', text))
  })
}

export function registerPlatformKey(
  app: FastifyInstance,
  deps: Pick<OperationDeps, 'platformPublicPem'>,
): void {
  app.get('/keys/platform.pem', async (_request, reply) => {
    return reply.type('application/x-pem-file').send(deps.platformPublicPem)
  })
}
