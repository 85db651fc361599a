// Serves the merchant interface. Handles each request from its head to its response. Every response has a request id,
// and none has a stack trace.
//
// POST requests to exactly the path of an endpoint bypass the framework, because its request and reply objects would
// cost more than our checks. All other requests wait in a fair queue (fair-queue.ts) for the framework's router.
import { randomUUIDv7 } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Merchant } from '../../money/merchants/merchant.ts'
import { signerFor, signFields } from '../../money/merchants/sign-fields.ts'
import { assert, Refusal } from '../../platform/errors/catalogue.ts'
import { networkOf } from '../../platform/http/addresses.ts'
import { type BodyProblem, MAX_DRAINED_BYTES } from '../../platform/http/server/read-body.ts'
import { type ResponseWriter, writerOver } from '../../platform/http/server/response.ts'
import { BoundedServer } from '../../platform/http/server/server.ts'
import { Overloaded } from '../../platform/postgres/batch.ts'
import { OUTAGE_SECONDS } from '../../platform/postgres/outages.ts'
import { declaredBytes, isUpload, mostBytes, refusalOfHead, tooLarge } from './checks/check-head.ts'
import {
  checkFields,
  checkRateAndVersion,
  checkSigned,
  type IncomingRequest,
  orDuplicate,
  type SignedRequest,
} from './checks/check-request.ts'
import { claimedMerNo } from './checks/parse-body.ts'
import { type EndpointPath, endpoints } from './endpoints.ts'
import {
  asJson,
  RepeatedPayment,
  TransportRefusal,
  type Written,
  writeFault,
  writeRefusal,
  writeSuccess,
  writeUnavailable,
  writeVietnamRefusal,
} from './envelope.ts'
import type { Body } from './fields/read-fields.ts'
import type { Answer, Frame, FrameDeps, MerchantGate } from './frame.ts'
import { asPage } from './handlers/cashier-page.ts'
import { logRequest, readSent, type Sent } from './log-request.ts'

type RequestHead = Pick<IncomingMessage, 'headers' | 'socket' | 'url'>

export type Exchange = {
  /** The path of the endpoint. Undefined if the request reaches no endpoint. */
  readonly path: EndpointPath | undefined
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly response: ResponseWriter
  readonly address: string
  readonly requestId: string
  readonly startedMs: number
  /** Set once the signature is verified. */
  merchant: Merchant | undefined
  merOrderNo: unknown
  /** The MAC of a payment's fields. Set once the fields are checked. */
  requestMac: string | undefined
  /** The gate that the request has entered and has not yet left. */
  gate: MerchantGate | undefined
  /** The language tag in the body. Set once the body is parsed, and only for an endpoint that answers with pages. */
  language?: string
  body?: Body | undefined
  sent?: Sent
  note?: string | undefined
  isLast: boolean
}

type Served = Exchange & { readonly path: EndpointPath }

export function exchangeOf(
  frame: Frame,
  path: EndpointPath | undefined,
  request: RequestHead,
  response: ResponseWriter,
  requestId: string,
): Exchange {
  const startedMs = performance.now()
  const address = frame.addressOf(request)
  const { url, headers } = request
  return {
    path,
    url,
    headers,
    response,
    address,
    requestId,
    startedMs,
    merchant: undefined,
    merOrderNo: undefined,
    requestMac: undefined,
    gate: undefined,
    isLast: false,
  }
}

export function serveRequest(frame: Frame, exchange: Exchange, request: IncomingMessage): void {
  if (!mayRead(frame, exchange)) return
  frame.bodies.read(request, mostBytes(exchange.path), (body) => {
    if (Buffer.isBuffer(body)) serveBody(frame, exchange, body)
    else refuseBody(frame, exchange, body)
  })
}

export function serveWhole(frame: Frame, exchange: Exchange, body: Buffer): void {
  if (mayRead(frame, exchange)) serveBody(frame, exchange, body)
}

/** Checks the head. If the request must be refused, answers it and returns false. */
function mayRead(frame: Frame, exchange: Exchange): exchange is Served {
  const refused = refusedAtOnce(frame, exchange)
  if (refused === undefined) return true
  exchange.isLast = frame.closing || declaredBytes(exchange.headers) > MAX_DRAINED_BYTES
  answer(frame, exchange, refused)
  return false
}

function serveBody(frame: Frame, exchange: Served, body: Buffer): void {
  frame.options.began?.(exchange.response)
  if (isRefusedUnread(frame, exchange, body)) answer(frame, exchange, overloaded)
  else void serve(frame, exchange, { body })
}

function refuseBody(frame: Frame, exchange: Served, problem: BodyProblem): void {
  frame.options.began?.(exchange.response)
  // After a body that is too large, the connection stays open, because the client reads the response only after it has
  // sent the whole body. After a body that was dropped for lack of memory, the connection is closed.
  exchange.isLast = problem === 'overloaded'
  answer(frame, exchange, writeError(frame, bodyError(exchange.path, problem), exchange))
}

function bodyError(path: EndpointPath, problem: BodyProblem): TransportRefusal | Overloaded {
  if (problem === 'overloaded') return new Overloaded()
  if (problem === 'too-large') return tooLarge(path)
  return new TransportRefusal(413, 'the body comes in too many pieces: send larger ones')
}

function refusedAtOnce(frame: Frame, exchange: Exchange): Written | undefined {
  if (frame.closing) return writeUnavailable('shutting down', 1)
  if (frame.deps.isOutdated?.()) return writeUnavailable('a newer version takes over', OUTAGE_SECONDS)
  const retryAfterSeconds = frame.limits.blockedSeconds(exchange.address)
  if (retryAfterSeconds > 0) {
    const why = `too many requests from this address failed, wait ${retryAfterSeconds} s`
    return writeRefusal(new Refusal('10107', why, { retryAfterSeconds }))
  }
  const refusal = refusalOfHead(exchange, frame.served)
  return refusal && writeRefusal(refusal)
}

/**
 * The body of a request. The body is released once it is parsed, because the request then mostly waits for the database
 * and should not keep the body in memory.
 */
type PendingBody = { body: Buffer | undefined }

function takeBody(pending: PendingBody): Buffer {
  const { body } = pending
  assert(body !== undefined, 'a body is read once')
  pending.body = undefined
  return body
}

async function serve(frame: Frame, exchange: Served, pending: PendingBody): Promise<void> {
  const { deps, limits } = frame
  let isIn = false
  try {
    const checking = checkSigned(deps, limits, exchange, takeBody(pending))
    const signed = checking instanceof Promise ? await checking : checking
    const { merchant } = signed
    exchange.merchant = merchant
    exchange.merOrderNo = signed.parsed.body.merOrderNo
    if (deps.requestLog?.hasSpace() === true) exchange.sent = readSent(signed.parsed.body)
    exchange.body = undefined
    checkRateAndVersion(limits, signed)
    isIn = mayEnter(deps, exchange, merchant)
    if (!isIn) return answer(frame, exchange, overloaded)
    const made = await handle(deps, signed, exchange)
    if (made.failure === undefined) exchange.note = made.note
    const signing = made.failure === undefined ? signatureOf(deps, merchant, exchange, made.data) : undefined
    const sign = signing && (await signing)
    answer(
      frame,
      exchange,
      made.failure ? writeRefused(made.failure, exchange) : writeSuccess(made.data, sign),
    )
  } catch (error) {
    const reported = isIn ? await reportedFor(deps, exchange, error) : error
    const onlyRead = !isIn || endpoints[exchange.path].does === 'query'
    answer(frame, exchange, writeError(frame, reported, exchange, onlyRead))
  }
}

/** Returns the error to report. Never rejects, because every request must be answered. */
async function reportedFor(deps: FrameDeps, exchange: Served, error: unknown): Promise<unknown> {
  try {
    const reported = await orDuplicate(deps, exchange, error)
    if (reported instanceof RepeatedPayment && exchange.merchant !== undefined)
      reported.sign = await signatureOf(deps, exchange.merchant, exchange, reported.data)
    return reported
  } catch (fault) {
    return fault
  }
}

/**
 * The response of an overloaded gateway. This response is built only once, so that a flood of requests costs as little
 * as possible.
 */
const overloaded = writeFault(new Overloaded(), '')

function gateOf(deps: FrameDeps, path: EndpointPath): MerchantGate {
  return endpoints[path].does === 'query' ? deps.queryGate : deps.gate
}

/**
 * True if the request is refused before it is parsed and verified, because the gate is full. At this point the merchant
 * number is only a claim. A caller with a false claim gets the refusal of another merchant, which costs that merchant
 * nothing. Only networks that have sent valid signatures are refused in this way. For other senders the signature is
 * verified, so that wrong signatures get them blocked.
 */
function isRefusedUnread({ deps, limits }: Frame, { path, address }: Served, body: Buffer): boolean {
  const gate = gateOf(deps, path)
  if (!gate.isFull || !limits.hasSigned(address)) return false
  const merNo = claimedMerNo(body)
  return merNo !== undefined && gate.refuses(merNo)
}

function mayEnter(deps: FrameDeps, exchange: Served, merchant: Merchant): boolean {
  const gate = gateOf(deps, exchange.path)
  const isIn = gate.enter(merchant.merNo)
  if (isIn) exchange.gate = gate
  return isIn
}

/**
 * Calls the handler. This function is not async, because an async function would keep the body in memory until the
 * handler has finished.
 */
function handle(deps: FrameDeps, signed: SignedRequest, exchange: Served): Promise<Answer> {
  const handler = deps.handlers[exchange.path]
  assert(handler !== undefined, 'an endpoint that is served has a handler')
  const checked = checkFields(deps, signed)
  exchange.requestMac = checked.requestMac
  return handler(checked)
}

function signatureOf(
  deps: FrameDeps,
  merchant: Merchant,
  incoming: IncomingRequest,
  data: Readonly<Record<string, unknown>>,
): string | Promise<string> | undefined {
  if (!merchant.signAnswers && !isVietnamPay(incoming)) return undefined
  return signFields('answer', data, signerFor(merchant, deps.platformKey))
}

function writeError({ options }: Frame, error: unknown, incoming: Served, onlyRead = false): Written {
  const { requestId } = incoming
  if (error instanceof Refusal) return writeRefused(error, incoming)
  if (!(error instanceof Overloaded)) options.log.error({ reqId: requestId, err: error }, 'request failed')
  return writeFault(error, requestId, onlyRead)
}

function writeRefused(refusal: Refusal, incoming: IncomingRequest): Written {
  return isVietnamPay(incoming) ? writeVietnamRefusal(refusal) : writeRefusal(refusal)
}

function isVietnamPay({ path, headers }: IncomingRequest): boolean {
  return path === '/payment' && headers.paymenttype === 'VN_BANK'
}

function leave(exchange: Exchange): void {
  if (exchange.merchant !== undefined) exchange.gate?.leave(exchange.merchant.merNo)
  exchange.gate = undefined
}

function answer(frame: Frame, exchange: Exchange, written: Written): void {
  const { path, requestId: reqId, response, startedMs, isLast, address } = exchange
  const merNo = exchange.merchant?.merNo
  const endpoint = path ?? 'other'
  const { status } = written
  const { code } = written.envelope
  const ms = performance.now() - startedMs
  leave(exchange)
  // A request without a valid signature counts as failed, unless the error is our own (99999).
  if (merNo === undefined && path !== undefined && code !== '99999') frame.limits.requestFailed(address)
  frame.deps.observe(endpoint, code, ms / 1000)
  frame.options.log.info({ reqId, endpoint, merNo, code, status, ms: Math.round(ms) }, 'answered')
  const isPage = path !== undefined && endpoints[path].answers === 'html'
  const message = isPage ? asPage(written, exchange, frame.options.siteHeaders) : asJson(written)
  response.write(message, reqId, isLast)
  if (path !== undefined && frame.deps.requestLog !== undefined) {
    const { requestId, headers, body, sent, note } = exchange
    const logged = { path, requestId, headers, address, merNo, body, sent, note }
    logRequest(frame.deps.requestLog, logged, written, isPage ? undefined : message.text, ms)
  }
}

export function createServerFor(frame: Frame, toRoutes: RequestListener): Server {
  const { connections, served, options } = frame
  return new BoundedServer({
    connections,
    serve(request, response) {
      const path = request.method === 'POST' ? served.get(request.url ?? '') : undefined
      if (!connections.began(request.socket, response, isUpload(path))) return
      if (path === undefined) toOthers(frame, toRoutes, request, response)
      else
        serveRequest(frame, exchangeOf(frame, path, request, writerOver(response), randomUUIDv7()), request)
    },
    takeWhole:
      options.rawServer === false
        ? undefined
        : ({ url, headers, body }, socket, response) => {
            const path = served.get(url)
            if (path === undefined || body.length > mostBytes(path)) return false
            const request = { url, headers, socket }
            serveWhole(frame, exchangeOf(frame, path, request, response, randomUUIDv7()), body)
            return true
          },
  })
}

function toOthers(
  { others, addressOf }: Frame,
  toRoutes: RequestListener,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const network = networkOf(addressOf(request))
  if (others.enter(network, response, () => toRoutes(request, response))) return
  writerOver(response).write(asJson(writeUnavailable('too many requests wait', 1)), randomUUIDv7(), true)
}

/**
 * Registers the merchant interface. `app` must be built with `serverOptions`. Its router handles unknown paths, and
 * unusual spellings of known paths.
 */
export function registerMerchantApi(app: FastifyInstance, frame: Frame): void {
  app.addHook('preClose', async () => {
    frame.closing = true
  })
  app.register(async (scope) => {
    // This hook serves every request of the scope. The handlers below are therefore never reached.
    scope.addHook('onRequest', ({ raw: request, id: requestId, routeOptions }, reply) => {
      const path = frame.served.get(routeOptions.url ?? '')
      serveRequest(
        frame,
        exchangeOf(frame, path, request, writerOver(reply.hijack().raw), requestId),
        request,
      )
    })
    scope.setNotFoundHandler(() => {})
    for (const path of frame.served.keys()) scope.post(path, () => {})
  })
}

/** The Fastify options. With these options, every response is an envelope. */
export const serverOptions = {
  // Request ids sort by time. The request log uses this order.
  genReqId: () => randomUUIDv7(),
  requestIdHeader: false,
  // During shutdown, `refusedAtOnce` answers with an envelope instead of Fastify.
  return503OnClosing: false,
  // BoundedServer answers malformed requests, because it knows which responses a connection still waits for.
  clientErrorHandler: () => {},
  frameworkErrors: (_error: Error, request: FastifyRequest, reply: FastifyReply): void => {
    const refusal = new TransportRefusal(404, 'there is no such path')
    writerOver(reply.hijack().raw).write(asJson(writeRefusal(refusal)), request.id, false)
  },
} as const
