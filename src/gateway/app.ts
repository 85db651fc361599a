// Builds the HTTP app with the routes of all interfaces that the process serves. The app does not listen yet.
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { type BackOfficeDeps, registerBackOffice } from '../interfaces/backoffice/routes.ts'
import type { CallbackDeps } from '../interfaces/callbacks/receive-callback.ts'
import { registerCallbacks } from '../interfaces/callbacks/routes.ts'
import { type Home, registerHome } from '../interfaces/checkout/home-page.ts'
import { type LinkPageDeps, registerLinkPage } from '../interfaces/checkout/payment-links/link-routes.ts'
import { type PayoutPageDeps, registerPayoutPage } from '../interfaces/checkout/payouts/payout-routes.ts'
import { type ReceiptDeps, registerReceipts } from '../interfaces/checkout/receipt-page.ts'
import { type CheckoutDeps, registerCheckout } from '../interfaces/checkout/routes.ts'
import { type DocsDeps, registerDocs } from '../interfaces/docs/routes.ts'
import { createFrame, type FrameDeps } from '../interfaces/merchant-api/frame.ts'
import type { Described } from '../interfaces/merchant-api/openapi/document.ts'
import { registerOpenApi } from '../interfaces/merchant-api/openapi/routes.ts'
import { type ReferenceDeps, registerReference } from '../interfaces/merchant-api/reference/routes.ts'
import {
  createServerFor,
  registerMerchantApi,
  serverOptions,
} from '../interfaces/merchant-api/serve-request.ts'
import { createDrain } from '../platform/http/server/drain-connections.ts'
import { registerSandboxMail, type SandboxMailDeps } from '../platform/mail/sandbox-mail-page.ts'
import { OUTAGE_SECONDS } from '../platform/postgres/outages.ts'
import {
  type OperationDeps,
  registerHealth,
  registerMetrics,
  registerPlatformKey,
} from '../platform/runtime/health-routes.ts'

type AppDeps = {
  readonly log: FastifyBaseLogger
  readonly trustedProxies: readonly string[]
  /** Headers that every response gets, except the merchant API's JSON. */
  readonly siteHeaders?: Readonly<Record<string, string>>
  readonly operation: OperationDeps & { readonly publicMetrics: boolean }
  readonly maxConnections: number
  /** True to use the fast HTTP server of src/platform/http/server/raw/. */
  readonly rawServer: boolean
  readonly forwardedByStranger: (address: string) => void
  /** The merchant API. A process without handlers answers every request to the API with an error envelope. */
  readonly merchantApi: FrameDeps
  /** The other interfaces. Missing in a process that only runs workers. */
  readonly interfaces?: Interfaces
}

export type Interfaces = {
  readonly checkout: CheckoutDeps
  readonly home: Home
  readonly openApi: Described
  readonly docs: DocsDeps
  readonly reference: ReferenceDeps
  readonly payoutPage: PayoutPageDeps
  readonly linkPage: LinkPageDeps
  readonly receipts: ReceiptDeps
  readonly callbacks: CallbackDeps
  readonly backOffice: BackOfficeDeps
  /** The page of stored mails. Set only in a sandbox that sends no mails. */
  readonly sandboxMail?: SandboxMailDeps
}

/** The paths that a node serves even after a newer version has migrated the database. */
const alwaysServed: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

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
    // Fastify logs no requests. The merchant API logs one line per request itself, once the result code is known.
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: [...deps.trustedProxies],
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 200 },
  })
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    if (deps.siteHeaders !== undefined) reply.headers(deps.siteHeaders)
    const { url } = request.routeOptions
    // On an outdated node, this hook refuses the other routes. The merchant API itself refuses merchants' requests and
    // unknown paths, with an envelope.
    const isOurs = url !== undefined && !alwaysServed.has(url) && !frame.served.has(url)
    if (isOurs && deps.merchantApi.isOutdated?.())
      reply.code(503).header('retry-after', OUTAGE_SECONDS).send('A newer version takes over.\n')
    else done()
  })
  drain.watch(app)
  registerHealth(app, deps.operation)
  // Metrics reveal volumes and failures, so in live only the operators' own port serves metrics.
  if (deps.operation.publicMetrics) registerMetrics(app, deps.operation)
  registerPlatformKey(app, deps.operation)
  if (deps.interfaces !== undefined) registerInterfaces(app, deps.interfaces)
  registerMerchantApi(app, frame)
  return app
}

function registerInterfaces(app: FastifyInstance, deps: Interfaces): void {
  registerCheckout(app, deps.checkout)
  registerHome(app, deps.home)
  registerOpenApi(app, deps.openApi)
  registerReference(app, deps.reference)
  registerDocs(app, deps.docs)
  registerPayoutPage(app, deps.payoutPage)
  registerLinkPage(app, deps.linkPage)
  registerReceipts(app, deps.receipts)
  registerCallbacks(app, deps.callbacks)
  registerBackOffice(app, deps.backOffice)
  if (deps.sandboxMail !== undefined) registerSandboxMail(app, deps.sandboxMail)
}
