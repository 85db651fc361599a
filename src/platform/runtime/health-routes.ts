// Endpoints for operators and their tools: health, readiness, metrics and our public key. Health and metrics are also served
// on a separate port that need not be public.
import type { IncomingMessage } from 'node:http'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Db } from '../postgres/db.ts'
import type { Metrics } from './metrics.ts'

export type OperationDeps = {
  readonly db: Db
  readonly metrics: Metrics
  readonly platformPublicPem: string
  readonly isClosing: () => boolean
  /** Shown at /readyz for people; does not affect readiness. */
  readonly detail?: (request: IncomingMessage) => Readonly<Record<string, unknown>>
}

const OPS_REQUEST_MS = 10_000

/** Builds the operators' server, without listening. */
export function buildOperation(deps: OperationDeps): FastifyInstance {
  const app = Fastify({ requestTimeout: OPS_REQUEST_MS, bodyLimit: 1024, forceCloseConnections: true })
  registerHealth(app, deps)
  registerMetrics(app, deps)
  return app
}

export function registerHealth(app: FastifyInstance, deps: OperationDeps): void {
  app.get('/healthz', async () => ({ status: 'ok' }))

  app.get('/readyz', async (request, reply) => {
    const checks = { database: await databaseAnswers(deps.db), serving: !deps.isClosing() }
    const ready = Object.values(checks).every(Boolean)
    return reply
      .code(ready ? 200 : 503)
      .send({ status: ready ? 'ready' : 'not ready', checks, detail: deps.detail?.(request.raw) })
  })
}

export function registerMetrics(app: FastifyInstance, deps: Pick<OperationDeps, 'metrics'>): void {
  app.get('/metrics', async (_request, reply) => {
    const { contentType, text } = deps.metrics
    return reply.type(contentType).send(await text())
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

async function databaseAnswers(db: Db): Promise<boolean> {
  try {
    await db.query({ text: 'select 1' })
    return true
  } catch {
    return false
  }
}
