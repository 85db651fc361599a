// The frame that every merchant endpoint runs in: one route per endpoint that has a handler, in a scope of its own.
// Whatever happens, the caller gets one envelope with a request id, and never a stack trace; where HTML is answered, the
// envelope is shown as a page.
import type { KeyObject } from 'node:crypto'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Overloaded } from '../base/batch.ts'
import type { Clock } from '../base/clock.ts'
import { Refusal } from '../base/error.ts'
import type { Method } from '../channels/method.ts'
import type { Merchant } from '../merchants/merchant.ts'
import { signerFor, signFields } from '../merchants/sign-fields.ts'
import { sendCashier } from './cashier-page.ts'
import { type Caller, checkCaller, checkFields, type IncomingRequest, orDuplicate } from './check-request.ts'
import { type ClientLimits, clientLimits } from './client-limits.ts'
import { type EndpointPath, endpoints, isEndpoint } from './endpoints.ts'
import {
  TransportRefusal,
  type Written,
  writeFault,
  writeRefusal,
  writeSuccess,
  writeUnavailable,
  writeVietnamRefusal,
} from './envelope.ts'
import type { Table } from './fields.ts'
import type { Fields } from './read-fields.ts'
import { readBody, send } from './transport.ts'

export type FrameDeps = {
  readonly mode: 'sandbox' | 'live'
  readonly clock: Clock
  findMerchant(merNo: number): Promise<Merchant | undefined>
  /** The merchant signed with this key for the first time. */
  keyUsed(merchant: Merchant, keyId: string): void
  /** What to answer when this order number was used before; undefined when it is free. */
  duplicateOf(merNo: number, merOrderNo: string): Promise<Refusal | undefined>
  /** Private; signs answers for merchants with an RSA key. */
  readonly platformKey: KeyObject
  readonly handlers: Readonly<Partial<Record<EndpointPath, Handler>>>
  observe(endpoint: string, code: string, seconds: number): void
}

/** A request that passed every check of the frame. */
export type CheckedRequest = {
  readonly path: EndpointPath
  readonly merchant: Merchant
  /** Of pay-in endpoints; undefined where the payer chooses. */
  readonly method: Method | undefined
  /** The table that the fields were read by; it knows what may be stored. */
  readonly table: Table
  readonly fields: Fields
  /** What came as `file` in a multipart request; none otherwise. */
  readonly files: readonly Buffer[]
  readonly requestId: string
  readonly address: string
}

/** Throws a Refusal for what it does not take in: nothing is stored then. */
export type Handler = (request: CheckedRequest) => Promise<Answer>
export type Answer =
  | { readonly data: Readonly<Record<string, unknown>>; readonly failure?: undefined }
  /** The order stands, and this became of it: no question of a duplicate. */
  | { readonly failure: Refusal }

type Frame = { readonly deps: FrameDeps; readonly limits: ClientLimits; closing: boolean }

/** `app` must be built with `serverOptions`. Paths that nobody serves are answered here too. */
export function registerMerchantApi(app: FastifyInstance, deps: FrameDeps): void {
  const frame: Frame = { deps, limits: clientLimits(deps.mode, deps.clock), closing: false }
  app.addHook('preClose', async () => {
    frame.closing = true
  })
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', readBody)
    scope.addHook('onRequest', (request, reply, next) => admit(frame, request, reply, next))
    scope.setErrorHandler((error, request, reply) => answerFault(frame, error, request, reply))
    scope.setNotFoundHandler((request, reply) => answerNotFound(frame, request, reply))
    for (const [path, handler] of Object.entries(deps.handlers)) {
      if (isEndpoint(path)) scope.post(path, routeOf(frame, path, handler))
    }
  })
}

function admit(frame: Frame, request: FastifyRequest, reply: FastifyReply, next: () => void): void {
  if (frame.closing) answer(frame, reply, writeUnavailable('shutting down', 1))
  else if (frame.limits.isAddressBlocked(request.ip)) answer(frame, reply, writeRefusal(tooManyFailures()))
  else next()
}

function tooManyFailures(): Refusal {
  return new Refusal('10107', 'too many wrong signatures came from this address, wait a minute')
}

function routeOf(frame: Frame, path: EndpointPath, handler: Handler) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { headers, body, ip: address, id: requestId } = request
    const incoming = { path, headers, body, address, requestId }
    return answer(frame, reply, await serve(frame, incoming, handler, request.log))
  }
}

async function serve(
  { deps, limits }: Frame,
  incoming: IncomingRequest,
  handler: Handler,
  log: FastifyBaseLogger,
): Promise<Written> {
  try {
    const caller = await checkCaller(deps, limits, incoming)
    const written = await answerCaller(deps, caller, incoming, handler).catch((error: unknown) =>
      writeError(error, incoming, log),
    )
    return { ...written, merNo: caller.merchant.merNo }
  } catch (error) {
    return writeError(error, incoming, log)
  }
}

async function answerCaller(
  deps: FrameDeps,
  caller: Caller,
  incoming: IncomingRequest,
  handler: Handler,
): Promise<Written> {
  const made = await orDuplicate(deps, caller, async () => handler(checkFields(deps, caller, incoming)))
  if (made.failure !== undefined) throw made.failure
  const isSigned = caller.merchant.signAnswers || isVietnamPay(incoming)
  const signer = isSigned ? signerFor(caller.merchant, deps.platformKey) : undefined
  return writeSuccess(made.data, signer && (await signFields('answer', made.data, signer)))
}

function writeError(error: unknown, incoming: IncomingRequest, log: FastifyBaseLogger): Written {
  if (error instanceof Refusal)
    return isVietnamPay(incoming) ? writeVietnamRefusal(error) : writeRefusal(error)
  if (!(error instanceof Overloaded)) log.error({ err: error }, 'request failed')
  return writeFault(error, incoming.requestId)
}

function isVietnamPay({ path, headers }: IncomingRequest): boolean {
  return path === '/payment' && headers.paymenttype === 'VN_BANK'
}

/** One line a request, here where its code is known. */
function answer({ deps }: Frame, reply: FastifyReply, written: Written): FastifyReply {
  const { request, elapsedTime } = reply
  const path = endpointOf(request)
  const endpoint = path ?? 'other'
  const { status, merNo } = written
  const { code } = written.envelope
  deps.observe(endpoint, code, elapsedTime / 1000)
  request.log.info({ endpoint, merNo, code, status, ms: Math.round(elapsedTime) }, 'answered')
  return path !== undefined && endpoints[path].answers === 'html'
    ? sendCashier(reply, written)
    : send(reply, written)
}

function endpointOf(request: FastifyRequest): EndpointPath | undefined {
  const { url = '' } = request.routeOptions
  return isEndpoint(url) ? url : undefined
}

function answerNotFound(frame: Frame, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const [path = ''] = request.url.split('?')
  const isServed = isEndpoint(path) && frame.deps.handlers[path] !== undefined
  const refusal = isServed
    ? new TransportRefusal(405, 'only POST is served here', { allow: 'POST' })
    : new TransportRefusal(404, 'there is no such path')
  return answer(frame, reply, writeRefusal(refusal))
}

/** What went wrong before a handler ran: the body could not be read, or Fastify refused it. */
function answerFault(
  frame: Frame,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const refusal = error instanceof Refusal ? error : refusalOf(error)
  if (refusal === undefined) {
    request.log.error({ err: error }, 'request failed')
    return answer(frame, reply, writeFault(error, request.id))
  }
  if (endpointOf(request) === undefined) return answerNotFound(frame, request, reply)
  return answer(frame, reply, writeRefusal(refusal))
}

function refusalOf(error: unknown): Refusal | undefined {
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  if (status === 415) return new TransportRefusal(415, 'Content-Type is not one that is taken here')
  return status < 500 ? new TransportRefusal(status, 'the request cannot be read') : undefined
}
