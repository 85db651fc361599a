// Serves one request to a merchant endpoint, from its head to its response. The caller always gets one envelope with a
// request id, and never a stack trace. An endpoint that returns HTML shows the envelope as a page.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { assert, Refusal } from '../errors/catalogue.ts'
import { type BodyProblem, MAX_DRAINED_BYTES } from '../http/server/read-body.ts'
import type { ResponseWriter } from '../http/server/response.ts'
import { signerFor, signFields } from '../merchants/sign-fields.ts'
import { Overloaded } from '../postgres/batch.ts'
import { declaredBytes, mostBytes, refusalOfHead, tooLarge } from './checks/check-head.ts'
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
import { claimedMerNo } from './checks/claimed-mer-no.ts'
import { type EndpointPath, endpoints } from './endpoints.ts'
import {
  asJson,
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

type Asked = Pick<IncomingMessage, 'headers' | 'socket' | 'url'>

/** One request and its response. */
export type Exchange = {
  /** Undefined when no endpoint has this path. */
  readonly path: EndpointPath | undefined
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly response: ResponseWriter
  readonly address: string
  readonly requestId: string
  readonly startedMs: number
  /** Set once the signature is verified. */
  merNo: number | undefined
  /** Where it takes a place of its merchant until it is answered. */
  gate: MerchantGate | undefined
  /** The language tag in the body, once it is parsed: a refusal may be a page too. */
  language?: string
  /** The body, until its signature is verified. */
  body?: Body | undefined
  /** What the log needs of the body, from then on. */
  sent?: Sent
  /** What the log says instead of the response's message. */
  note?: string | undefined
  /** The connection is closed after the response. */
  isLast: boolean
}

/** An exchange with an endpoint. */
type Served = Exchange & { readonly path: EndpointPath }

export function exchangeOf(
  frame: Frame,
  path: EndpointPath | undefined,
  request: Asked,
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
    merNo: undefined,
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

/** Serves a request whose body is already complete. */
export function serveWhole(frame: Frame, exchange: Exchange, body: Buffer): void {
  if (mayRead(frame, exchange)) serveBody(frame, exchange, body)
}

/** False when the request was refused for its head; the response is written then. */
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
  // A client that sends too much reads its response once it has sent everything; one that stalls must go.
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
  const retryAfterSeconds = frame.limits.blockedSeconds(exchange.address)
  if (retryAfterSeconds > 0) {
    const why = `too many requests from this address failed, wait ${retryAfterSeconds} s`
    return writeRefusal(new Refusal('10107', why, { retryAfterSeconds }))
  }
  const refusal = refusalOfHead(exchange, frame.served)
  return refusal && writeRefusal(refusal)
}

/** A request waits for the database most of the time, and must not keep its body in memory meanwhile. */
type PendingBody = { body: Buffer | undefined }

function takeBody(pending: PendingBody): Buffer {
  const { body } = pending
  assert(body !== undefined, 'a body is read once')
  pending.body = undefined
  return body
}

async function serve(frame: Frame, exchange: Served, pending: PendingBody): Promise<void> {
  const { deps, limits } = frame
  let asker: Asker | undefined
  try {
    const checking = checkCaller(deps, limits, exchange, takeBody(pending))
    const caller = checking instanceof Promise ? await checking : checking
    exchange.merNo = caller.merchant.merNo
    if (deps.requestLog?.hasSpace() === true) exchange.sent = readSent(caller.asked.body)
    exchange.body = undefined
    checkRateAndVersion(limits, caller)
    if (!mayEnter(deps, exchange, caller)) return answer(frame, exchange, overloaded)
    asker = askerOf(caller)
    const made = await handle(deps, caller, exchange)
    if (made.failure === undefined) exchange.note = made.note
    const signing = made.failure === undefined ? signatureOf(deps, asker, exchange, made.data) : undefined
    const sign = signing && (await signing)
    answer(
      frame,
      exchange,
      made.failure ? writeRefused(made.failure, exchange) : writeSuccess(made.data, sign),
    )
  } catch (error) {
    const reported = await orDuplicate(deps, asker, error).catch((fault: unknown) => fault)
    answer(frame, exchange, writeError(frame, reported, exchange))
  }
}

/** Written once: a flood must not cost more than it has to. */
const overloaded = writeFault(new Overloaded(), '')

function gateOf(deps: FrameDeps, path: EndpointPath): MerchantGate {
  return endpoints[path].does === 'query' ? deps.queryGate : deps.gate
}

/**
 * In a flood most requests are refused, so a full gateway does that before it parses and verifies them. Here the merchant
 * number is only a claim: a false one brings the caller another merchant's refusal, and takes nothing from that merchant.
 * Only networks that sent valid signatures are refused like this. Strangers fail at the signature, and are blocked for it.
 */
function isRefusedUnread({ deps, limits }: Frame, { path, address }: Served, body: Buffer): boolean {
  const gate = gateOf(deps, path)
  if (!gate.isFull || !limits.hasSigned(address)) return false
  const merNo = claimedMerNo(body)
  return merNo !== undefined && gate.refuses(merNo)
}

function mayEnter(deps: FrameDeps, exchange: Served, { merchant }: Caller): boolean {
  const gate = gateOf(deps, exchange.path)
  const isIn = gate.enter(merchant.merNo)
  if (isIn) exchange.gate = gate
  return isIn
}

/** Not async: an async function would keep its arguments in memory while the handler works. */
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

function leave(exchange: Exchange): void {
  if (exchange.merNo !== undefined) exchange.gate?.leave(exchange.merNo)
  exchange.gate = undefined
}

/** Writes the response, and one line of log for the request. */
function answer(frame: Frame, exchange: Exchange, written: Written): void {
  const { path, requestId: reqId, response, startedMs, merNo, isLast, address } = exchange
  const endpoint = path ?? 'other'
  const { status } = written
  const { code } = written.envelope
  const ms = performance.now() - startedMs
  leave(exchange)
  // Every request without a valid signature counts as failed, unless the fault was ours (99999).
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
