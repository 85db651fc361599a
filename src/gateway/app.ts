// Builds the app: each domain's routes in the scope of their callers. Does not listen.
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { type BackOfficeDeps, registerBackOffice } from './backoffice/routes.ts'
import type { CallbackDeps } from './callbacks/receive-callback.ts'
import { registerCallbacks } from './callbacks/routes.ts'
import { type Home, registerHome } from './checkout/home-page.ts'
import { type LinkPageDeps, registerLinkPage } from './checkout/payment-links/link-routes.ts'
import { type PayoutPageDeps, registerPayoutPage } from './checkout/payouts/payout-routes.ts'
import { type ReceiptDeps, registerReceipts } from './checkout/receipts/receipt-routes.ts'
import { type CheckoutDeps, registerCheckout } from './checkout/routes.ts'
import { type DocsDeps, registerDocs } from './docs/routes.ts'
import { registerExam } from './exam/routes.ts'
import { createDrain } from './http/server/drain-connections.ts'
import { registerSandboxMail, type SandboxMailDeps } from './mail/routes.ts'
import { createFrame, type FrameDeps } from './merchant-api/frame.ts'
import { createServerFor, registerMerchantApi, serverOptions } from './merchant-api/merchant-server.ts'
import type { Described } from './merchant-api/openapi/document.ts'
import { registerOpenApi } from './merchant-api/openapi/routes.ts'
import { type ReferenceDeps, registerReference } from './merchant-api/reference/routes.ts'
import {
  type OperationDeps,
  registerHealth,
  registerMetrics,
  registerPlatformKey,
} from './runtime/health-routes.ts'

export type AppDeps = {
  readonly log: FastifyBaseLogger
  readonly trustedProxies: readonly string[]
  /** Headers of every page of this site. */
  readonly siteHeaders?: Readonly<Record<string, string>>
  readonly operation: OperationDeps & { readonly publicMetrics: boolean }
  readonly maxConnections: number
  /** The fast path: src/http/server/raw/. */
  readonly rawServer: boolean
  readonly forwardedByStranger?: (address: string) => void
  /** Without handlers in a process that only runs workers: it still responds with envelopes. */
  readonly merchantApi: FrameDeps
  readonly checkout?: CheckoutDeps
  readonly home?: Home
  /** What the OpenAPI document says of this gateway. */
  readonly openApi?: Described
  readonly docs?: DocsDeps
  readonly reference?: ReferenceDeps
  readonly payoutPage?: PayoutPageDeps
  readonly linkPage?: LinkPageDeps
  readonly receipts?: ReceiptDeps
  readonly callbacks?: CallbackDeps
  readonly backOffice?: BackOfficeDeps
  /** The page that shows the sandbox's mails. */
  readonly sandboxMail?: SandboxMailDeps
}

export function buildApp(deps: AppDeps): FastifyInstance {
  const drain = createDrain()
  const frame = createFrame(deps.merchantApi, {
    ...deps,
    connections: { most: deps.maxConnections },
    began: drain.began,
  })
  const app = Fastify({
    ...serverOptions,
    serverFactory: (toRoutes) => createServerFor(frame, toRoutes),
    loggerInstance: deps.log,
    // The frame logs one line per request, when its code is known.
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: [...deps.trustedProxies],
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 200 },
  })
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    if (deps.siteHeaders !== undefined) reply.headers(deps.siteHeaders)
    done()
  })
  drain.watch(app)
  registerHealth(app, deps.operation)
  if (deps.operation.publicMetrics) registerMetrics(app, deps.operation)
  registerPlatformKey(app, deps.operation)
  if (deps.checkout !== undefined) registerCheckout(app, deps.checkout)
  if (deps.home !== undefined) registerHome(app, deps.home)
  if (deps.openApi !== undefined) registerOpenApi(app, deps.openApi)
  if (deps.reference !== undefined) registerReference(app, deps.reference)
  if (deps.home?.sandbox) registerExam(app)
  if (deps.docs !== undefined) registerDocs(app, deps.docs)
  if (deps.payoutPage !== undefined) registerPayoutPage(app, deps.payoutPage)
  if (deps.linkPage !== undefined) registerLinkPage(app, deps.linkPage)
  if (deps.receipts !== undefined) registerReceipts(app, deps.receipts)
  if (deps.callbacks !== undefined) registerCallbacks(app, deps.callbacks)
  if (deps.backOffice !== undefined) registerBackOffice(app, deps.backOffice)
  if (deps.sandboxMail !== undefined) registerSandboxMail(app, deps.sandboxMail)
  registerMerchantApi(app, frame)
  return app
}
