// The frame that every merchant endpoint runs in, on bare HTTP: of a payment's way it is the part that each one goes, and a
// framework's request and reply would cost more than the checks. Whatever happens, the caller gets one envelope with a
// request id, and never a stack trace; where HTML is answered, the envelope is shown as a page.
import { type KeyObject, randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, RequestListener, Server } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Clock } from '../base/clock.ts'
import { assert, Refusal } from '../errors/catalogue.ts'
import type { Merchant } from '../merchants/merchant.ts'
import { signerFor, signFields } from '../merchants/sign-fields.ts'
import { Overloaded } from '../postgres/batch.ts'
import { declaredBytes, isUpload, mostBytes, refusalOfHead, tooLarge } from './checks/check-head.ts'
import {
  type Asker,
  askerOf,
  type Caller,
  checkCaller,
  checkFields,
  checkRateAndVersion,
  type IncomingRequest,
  orDuplicate,
} from './checks/check-request.ts'
import type { CheckedRequest } from './checks/checked-request.ts'
import { type ClientLimits, clientLimits } from './checks/rate-limits.ts'
import { type ClientAddress, clientAddress } from './client-address.ts'
import { type ConnectionOptions, Connections, connectionLimits } from './connections.ts'
import { type EndpointPath, endpoints, isEndpoint } from './endpoints.ts'
import {
  type TransportRefusal,
  type Written,
  writeFault,
  writeRefusal,
  writeSuccess,
  writeUnavailable,
  writeVietnamRefusal,
} from './envelope.ts'
import { asPage } from './handlers/cashier-page.ts'
import { MerchantServer } from './merchant-server.ts'
import { BodyReader, MAX_DRAINED_BYTES } from './read-body.ts'
import { type Answering, answeringOver, asJson } from './transport.ts'

export type FrameDeps = {
  readonly mode: 'sandbox' | 'live'
  readonly clock: Clock
  /** At once when it is held in memory, as it mostly is. */
  findMerchant(merNo: number): Merchant | Promise<Merchant | undefined>
  /** The merchant signed with this key for the first time. */
  keyUsed(merchant: Merchant, keyId: string): void
  /** What to answer when this order number was used before; undefined when it is free. */
  duplicateOf(merNo: number, merOrderNo: string): Promise<Refusal | undefined>
  /** Private; signs answers for merchants with an RSA key. */
  readonly platformKey: KeyObject
  readonly handlers: Readonly<Partial<Record<EndpointPath, Handler>>>
  observe(endpoint: string, code: string, seconds: number): void
}

/** Throws a Refusal for what it does not take in: nothing is stored then. */
export type Handler = (request: CheckedRequest) => Promise<Answer>
export type Answer =
  | { readonly data: Readonly<Record<string, unknown>>; readonly failure?: undefined }
  /** The order stands, and this became of it: no question of a duplicate. */
  | { readonly failure: Refusal }

/** What the frame needs to know of the server around it. */
export type FrameOptions = {
  readonly log: Pick<FastifyBaseLogger, 'info' | 'error'>
  readonly trustedProxies?: readonly string[]
  /** Headers that every page of this site carries. */
  readonly siteHeaders?: Readonly<Record<string, string>>
  /** Of bodies that have not come whole yet, all together. */
  readonly mostHeldBytes?: number
  readonly connections?: Partial<ConnectionOptions>
  /** Told of an address that is no trusted proxy and sends X-Forwarded-For. */
  readonly forwardedByStranger?: (address: string) => void
  /** Told when a request has come whole and will be answered. */
  readonly taken?: (answering: Answering) => void
}

export type Frame = {
  readonly deps: FrameDeps
  readonly options: FrameOptions
  readonly limits: ClientLimits
  readonly addressOf: ClientAddress
  readonly bodies: BodyReader
  readonly connections: Connections
  /** The endpoints that have a handler. */
  readonly served: ReadonlyMap<string, EndpointPath>
  closing: boolean
}

export function createFrame(deps: FrameDeps, options: FrameOptions): Frame {
  const { trustedProxies = [] } = options
  const paths = Object.keys(deps.handlers).filter(isEndpoint)
  return {
    deps,
    options,
    limits: clientLimits(deps.mode, deps.clock),
    addressOf: clientAddress(trustedProxies, options.forwardedByStranger),
    bodies: new BodyReader(options.mostHeldBytes),
    connections: new Connections({ ...connectionLimits(deps.mode, trustedProxies), ...options.connections }),
    served: new Map(paths.map((path) => [path, path])),
    closing: false,
  }
}

/** Endpoints spelled as they are documented need no router; all else goes to the routes. */
export function createServerFor(frame: Frame, toRoutes: RequestListener): Server {
  return new MerchantServer({
    connections: frame.connections,
    toRoutes(request, response) {
      const path = request.method === 'POST' ? frame.served.get(request.url ?? '') : undefined
      if (!frame.connections.began(request.socket, response, isUpload(path))) return
      if (path === undefined) toRoutes(request, response)
      else take(frame, exchangeOf(frame, path, request, answeringOver(response), randomUUID()), request)
    },
    takeWhole({ url, headers, body }, socket, answering) {
      const path = frame.served.get(url)
      if (path === undefined || body.length > mostBytes(path)) return false
      takeWhole(frame, exchangeOf(frame, path, { url, headers, socket }, answering, randomUUID()), body)
      return true
    },
  })
}

/** `app` must be built with `serverOptions`. Its router knows endpoints however they are spelled, and paths of nobody. */
export function registerMerchantApi(app: FastifyInstance, frame: Frame): void {
  app.addHook('preClose', async () => {
    frame.closing = true
  })
  app.register(async (scope) => {
    // Takes every request of this scope: the handlers below are never reached.
    scope.addHook('onRequest', ({ raw: request, id: requestId, routeOptions }, reply) => {
      const path = frame.served.get(routeOptions.url ?? '')
      take(frame, exchangeOf(frame, path, request, answeringOver(reply.hijack().raw), requestId), request)
    })
    scope.setNotFoundHandler(() => {})
    for (const path of frame.served.keys()) scope.post(path, () => {})
  })
}

type Asked = Pick<IncomingMessage, 'headers' | 'socket' | 'url'>

/** One request and its answer. */
type Exchange = {
  /** Undefined: it is for no endpoint that is served. */
  readonly path: EndpointPath | undefined
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly answering: Answering
  readonly address: string
  readonly requestId: string
  readonly startedMs: number
  /** Whose request it was, once the signature has shown it. */
  merNo: number | undefined
  /** As the body asks for it, once it is read: a refusal may be a page too. */
  language?: string
  /** The connection ends with the answer. */
  isLast: boolean
}

/** One that is for an endpoint. */
type Served = Exchange & { readonly path: EndpointPath }

function exchangeOf(
  frame: Frame,
  path: EndpointPath | undefined,
  request: Asked,
  answering: Answering,
  requestId: string,
): Exchange {
  const startedMs = performance.now()
  const address = frame.addressOf(request)
  const { url, headers } = request
  return { path, url, headers, answering, address, requestId, startedMs, merNo: undefined, isLast: false }
}

function take(frame: Frame, exchange: Exchange, request: IncomingMessage): void {
  if (!mayRead(frame, exchange)) return
  const { path } = exchange
  const bound = { bytes: mostBytes(path), refusal: () => tooLarge(path) }
  frame.bodies.read(request, bound, (body) => takeBody(frame, exchange, body))
}

function takeWhole(frame: Frame, exchange: Exchange, body: Buffer): void {
  if (mayRead(frame, exchange)) takeBody(frame, exchange, body)
}

/** False: it is answered already, by what its head says. */
function mayRead(frame: Frame, exchange: Exchange): exchange is Served {
  const refused = refusedAtOnce(frame, exchange)
  if (refused === undefined) return true
  exchange.isLast = frame.closing || declaredBytes(exchange.headers) > MAX_DRAINED_BYTES
  answer(frame, exchange, refused)
  return false
}

function takeBody(frame: Frame, exchange: Served, body: Buffer | TransportRefusal | Overloaded): void {
  frame.options.taken?.(exchange.answering)
  if (Buffer.isBuffer(body)) {
    void serve(frame, exchange, { body })
    return
  }
  // Who sends too much finds its answer once it has sent it; who was in the way of others must go.
  exchange.isLast = body instanceof Overloaded
  answer(frame, exchange, writeError(frame, body, exchange))
}

function refusedAtOnce(frame: Frame, exchange: Exchange): Written | undefined {
  if (frame.closing) return writeUnavailable('shutting down', 1)
  const retryAfterSeconds = frame.limits.blockedSeconds(exchange.address)
  if (retryAfterSeconds > 0) {
    const why = `too many requests from this address failed, wait ${retryAfterSeconds} s`
    return writeRefusal(new Refusal('10107', why, { retryAfterSeconds }))
  }
  const refusal = refusalOfHead(exchange, frame.served)
  return refusal && writeRefusal(refusal)
}

/** A request waits for the database for most of its life, and must not hold what it was read from until then. */
type Held = { body: Buffer | undefined }

function letGo(held: Held): Buffer {
  const { body } = held
  assert(body !== undefined, 'a body is read once')
  held.body = undefined
  return body
}

async function serve(frame: Frame, exchange: Served, held: Held): Promise<void> {
  const { deps, limits } = frame
  let asker: Asker | undefined
  try {
    const checking = checkCaller(deps, limits, exchange, letGo(held))
    const caller = checking instanceof Promise ? await checking : checking
    exchange.merNo = caller.merchant.merNo
    checkRateAndVersion(limits, caller)
    asker = askerOf(caller)
    const made = await handle(deps, caller, exchange)
    const signing = made.failure === undefined ? signatureOf(deps, asker, exchange, made.data) : undefined
    const sign = signing && (await signing)
    answer(
      frame,
      exchange,
      made.failure ? writeRefused(made.failure, exchange) : writeSuccess(made.data, sign),
    )
  } catch (error) {
    const told = await orDuplicate(deps, asker, error).catch((fault: unknown) => fault)
    answer(frame, exchange, writeError(frame, told, exchange))
  }
}

/** Begins at once, so that nobody holds the caller's body while it works. */
function handle(deps: FrameDeps, caller: Caller, { path }: Served): Promise<Answer> {
  const handler = deps.handlers[path]
  assert(handler !== undefined, 'an endpoint that is served has a handler')
  return handler(checkFields(deps, caller))
}

function signatureOf(
  deps: FrameDeps,
  { merchant }: Asker,
  incoming: IncomingRequest,
  data: Readonly<Record<string, unknown>>,
): string | Promise<string> | undefined {
  if (!merchant.signAnswers && !isVietnamPay(incoming)) return undefined
  return signFields('answer', data, signerFor(merchant, deps.platformKey))
}

function writeError({ options }: Frame, error: unknown, incoming: Served): Written {
  const { requestId } = incoming
  if (error instanceof Refusal) return writeRefused(error, incoming)
  if (!(error instanceof Overloaded)) options.log.error({ reqId: requestId, err: error }, 'request failed')
  return writeFault(error, requestId)
}

function writeRefused(refusal: Refusal, incoming: IncomingRequest): Written {
  return isVietnamPay(incoming) ? writeVietnamRefusal(refusal) : writeRefusal(refusal)
}

function isVietnamPay({ path, headers }: IncomingRequest): boolean {
  return path === '/payment' && headers.paymenttype === 'VN_BANK'
}

/** One line a request, here where its code is known. */
function answer(frame: Frame, exchange: Exchange, written: Written): void {
  const { path, requestId: reqId, answering, startedMs, merNo, isLast, address } = exchange
  const endpoint = path ?? 'other'
  const { status } = written
  const { code } = written.envelope
  const ms = performance.now() - startedMs
  // Without a right signature every request for an endpoint has failed. That we could not serve it is not the caller's fault.
  if (merNo === undefined && path !== undefined && code !== '99999') frame.limits.requestFailed(address)
  frame.deps.observe(endpoint, code, ms / 1000)
  frame.options.log.info({ reqId, endpoint, merNo, code, status, ms: Math.round(ms) }, 'answered')
  const isPage = path !== undefined && endpoints[path].answers === 'html'
  const message = isPage ? asPage(written, exchange, frame.options.siteHeaders) : asJson(written)
  answering.answer(message, reqId, isLast)
}
