// Each domain's routes in the scope of its callers. Builds, and listens to nothing.
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { type CheckoutDeps, registerCheckout } from './checkout/routes.ts'
import { type FrameDeps, registerMerchantApi } from './merchant-api/frame.ts'
import { serverOptions } from './merchant-api/transport.ts'
import { type OperationDeps, registerOperation } from './operation.ts'

export type AppDeps = {
  readonly log: FastifyBaseLogger
  readonly trustedProxies: readonly string[]
  readonly operation: OperationDeps
  /** Absent in a process that only works in the background. */
  readonly front?: { readonly merchantApi: FrameDeps; readonly checkout: CheckoutDeps }
}

export function buildApp(deps: AppDeps): FastifyInstance {
  const app = Fastify({
    ...serverOptions,
    loggerInstance: deps.log,
    // The frame writes one line a request, where its code is known.
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: [...deps.trustedProxies],
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 200 },
  })
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
  registerOperation(app, deps.operation)
  if (deps.front !== undefined) {
    registerCheckout(app, deps.front.checkout)
    registerMerchantApi(app, deps.front.merchantApi)
  }
  return app
}
