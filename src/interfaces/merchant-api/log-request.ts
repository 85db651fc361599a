// Hands a request and its response to the request log, without what must not be stored.
import type { IncomingHttpHeaders } from 'node:http'
import { type KeptText, keepText } from '../request-log/kept-text.ts'
import type { RequestLog } from '../request-log/recorder.ts'
import type { EndpointPath } from './endpoints.ts'
import type { Written } from './envelope.ts'
import { type Body, brokenText } from './fields/read-fields.ts'
import { shownAnswer, shownBody, shownMessage } from './shown-body.ts'

/** What the log needs of a body. */
export type Sent = {
  readonly merNo: unknown
  readonly merOrderNo: string | undefined
  readonly tradeNo: string | undefined
  /** Masked as soon as the event loop has time, so that the body need not stay in memory. */
  body: Body | undefined
  text: KeptText | undefined
}

/**
 * Bodies that wait to be masked until all requests that came in together were read. Masking one after another takes half the
 * time: the first one finds nothing that it needs in the processor's caches.
 */
let unmasked: Sent[] = []

export type LoggedExchange = {
  readonly path: EndpointPath
  readonly requestId: string
  readonly headers: IncomingHttpHeaders
  readonly address: string
  /** Undefined without a valid signature. */
  readonly merNo: number | undefined
  /** The body of a request that is not authenticated. */
  readonly body: Body | undefined
  readonly sent: Sent | undefined
  /** Why it ended as it did, if the response does not say so. */
  readonly note: string | undefined
}

const NUMBER_LENGTH = 64
const HEADER_LENGTH = 200
const SIGN_LENGTH = 2_048
const MAX_MER_NO = 9_999_999_999

export function readSent(body: Body): Sent {
  const { merNo, merOrderNo, tradeNo } = body
  const sent = {
    merNo,
    merOrderNo: numberIn(merOrderNo),
    tradeNo: numberIn(tradeNo),
    body,
    text: undefined,
  }
  if (unmasked.push(sent) === 1) setImmediate(maskAll)
  return sent
}

function maskAll(): void {
  const all = unmasked
  unmasked = []
  for (const sent of all) textOf(sent)
}

function textOf(sent: Sent): KeptText | undefined {
  if (sent.body !== undefined) sent.text = keepText(shownBody(sent.body))
  sent.body = undefined
  return sent.text
}

function numberIn(value: unknown): string | undefined {
  const isNumber = typeof value === 'string' && value !== '' && brokenText(value, NUMBER_LENGTH) === undefined
  return isNumber ? value : undefined
}

export function logRequest(
  log: RequestLog,
  exchange: LoggedExchange,
  { status, envelope }: Written,
  /** The response, unless it is a page. */
  text: string | undefined,
  ms: number,
): void {
  const { path, requestId, headers, address, body } = exchange
  const isSigned = exchange.merNo !== undefined
  if (status === 503 || (isSigned && exchange.sent === undefined)) {
    log.skip()
    return
  }
  if (!isSigned && !log.takesUnsigned(address)) return
  const sent = exchange.sent ?? (body && readSent(body))
  const { code, data } = envelope
  log.record({
    requestId,
    endpoint: path,
    merNo: exchange.merNo ?? claimedMerNo(sent),
    isSigned,
    merOrderNo: sent?.merOrderNo,
    tradeNo: numberIn(data?.tradeNo) ?? sent?.tradeNo,
    status,
    code,
    message: shownMessage(code, envelope.message),
    note: exchange.note,
    ms,
    address,
    agent: short(headers['user-agent']),
    paymentType: typeof headers.paymenttype === 'string' ? short(headers.paymenttype) : '',
    referer: short(headers.referer),
    body: sent && textOf(sent),
    answer: shownAnswer(path, envelope, text),
    sign: code === '10015' ? signOf(body) : undefined,
  })
}

function claimedMerNo(sent: Sent | undefined): number {
  const merNo = Number(sent?.merNo)
  return Number.isInteger(merNo) && merNo > 0 && merNo <= MAX_MER_NO ? merNo : 0
}

function short(header = ''): string {
  return header.length <= HEADER_LENGTH ? header : header.slice(0, HEADER_LENGTH)
}

function signOf(body: Body | undefined): string | undefined {
  const sign = body?.sign ?? body?.sing
  return typeof sign === 'string' && sign.length <= SIGN_LENGTH ? sign : undefined
}
