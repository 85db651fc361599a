// What operators and their tools call: is it alive, may it be sent requests, how is it doing, and our public key.
import type { FastifyInstance } from 'fastify'
import type { Db } from './base/db.ts'
import type { Metrics } from './metrics.ts'

export type OperationDeps = {
  readonly db: Db
  readonly metrics: Metrics
  readonly platformPublicPem: string
  readonly isClosing: () => boolean
  /** Told at /readyz for people to read; says nothing about whether requests may be sent here. */
  readonly detail?: () => Readonly<Record<string, unknown>>
}

export function registerOperation(app: FastifyInstance, deps: OperationDeps): void {
  app.get('/healthz', async () => ({ status: 'ok' }))

  app.get('/readyz', async (_request, reply) => {
    const checks = { database: await databaseAnswers(deps.db), serving: !deps.isClosing() }
    const ready = Object.values(checks).every(Boolean)
    return reply
      .code(ready ? 200 : 503)
      .send({ status: ready ? 'ready' : 'not ready', checks, ...(deps.detail && { detail: deps.detail() }) })
  })

  app.get('/metrics', async (_request, reply) => {
    const { registry } = deps.metrics
    return reply.type(registry.contentType).send(await registry.metrics())
  })

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
