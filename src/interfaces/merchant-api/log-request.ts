// Writes a request and its response to the request log. A value is shown only if its field is known and not secret,
// because an unknown field may contain a secret. Names are shown even if they are unknown, so that a developer can find
// a misspelt name. Long texts are cut. See docs/decisions/0217-what-the-request-log-shows.md.
import type { IncomingHttpHeaders } from 'node:http'
import { beginningOf, hideCardNumbers } from '../../platform/base/card-number.ts'
import { isObject } from '../../platform/base/object.ts'
import type { Code } from '../../platform/errors/catalogue.ts'
import { type KeptText, keepText } from '../../platform/request-log/kept-text.ts'
import type { RequestLog } from '../../platform/request-log/recorder.ts'
import { allTablesOf, type EndpointPath, endpoints } from './endpoints.ts'
import type { Envelope, Written } from './envelope.ts'
import { type Field, namesOf, type Table } from './fields/field.ts'
import { type Body, brokenText } from './fields/read-fields.ts'

export type Sent = {
  readonly merNo: unknown
  readonly merOrderNo: string | undefined
  readonly tradeNo: string | undefined
  /** The body until it is masked. Bodies are masked early, so that they need not stay in memory until the response. */
  body: Body | undefined
  text: KeptText | undefined
}

/**
 * The bodies that wait to be masked. Masking many bodies together takes half the time, because the CPU's caches are
 * warm.
 */
let unmasked: Sent[] = []

type LoggedExchange = {
  readonly path: EndpointPath
  readonly requestId: string
  readonly headers: IncomingHttpHeaders
  readonly address: string
  /** The merchant. Undefined if the request has no valid signature. */
  readonly merNo: number | undefined
  readonly body: Body | undefined
  readonly sent: Sent | undefined
  /** The reason for the result. Set if the response does not contain the reason. */
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
  return beginningOf(header, HEADER_LENGTH)
}

function signOf(body: Body | undefined): string | undefined {
  const sign = body?.sign ?? body?.sing
  return typeof sign === 'string' && sign.length <= SIGN_LENGTH ? sign : undefined
}

/**
 * The mask is ASCII. With a character such as •, V8 would store two bytes per character, which would take twice the
 * time.
 */
export const MASK = '***'
export const MOST_CHARACTERS = 8_192
const CUT = '…'

/**
 * Additional fields that are masked. A captured signature might be sent again. `info` is stored encrypted elsewhere.
 */
const alsoHidden: readonly string[] = ['sign', 'sing', 'info']

function allFields(table: Table): readonly Field[] {
  return table.flatMap((one) => [one, ...allFields(one.fields ?? []), ...allFields(one.of?.fields ?? [])])
}

const fields = Object.values(endpoints).flatMap(allTablesOf).flatMap(allFields)
const hidden = new Set([
  ...alsoHidden,
  ...fields.filter(({ secrecy }) => secrecy !== undefined).flatMap(namesOf),
  ...allFields(fields.filter(({ name }) => alsoHidden.includes(name))).flatMap(namesOf),
])
const shown: ReadonlySet<string> = new Set(
  [...fields.flatMap(namesOf), 'paymentMode', 'withdrawType'].filter(
    (name) => name !== '' && !hidden.has(name),
  ),
)

export function shownBody(body: Body): string {
  return cut(JSON.stringify(maskedObject(body)))
}

function maskedObject(given: Body): Body {
  let copy: Record<string, unknown> | undefined
  for (const name in given) {
    const value = given[name]
    const kept = shown.has(name) ? masked(value) : MASK
    if (kept === value) continue
    // A copy of the whole object keeps the order of names, and is four times as fast as adding the names one by one.
    copy ??= { ...given }
    copy[name] = kept
  }
  return copy ?? given
}

function masked(value: unknown): unknown {
  if (typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(masked)
  return isObject(value) ? maskedObject(value) : value
}

export function shownAnswer(path: EndpointPath, envelope: Envelope, text: string | undefined): string {
  const { code, sign } = envelope
  if (code === '10015') return JSON.stringify({ ...envelope, message: shownMessage(code, envelope.message) })
  const whole = text ?? JSON.stringify(envelope)
  const unsigned = sign === undefined ? whole : whole.replaceAll(sign, MASK)
  // A payout's link is masked, because anybody who has the link can enter the account that receives the money.
  return cut(path === '/payout' ? unsigned.replace(/"payUrl":"[^"]*"/, `"payUrl":"${MASK}"`) : unsigned)
}

/**
 * Returns the message for the log. In sandbox, the message about a wrong signature ends with the string to sign. This
 * string is removed, because it may contain the card number.
 */
export function shownMessage(code: Code, message: string): string {
  return code === '10015' ? message.replace(/, of .*$/s, '') : message
}

/**
 * Masks card numbers, which any field may contain, and shortens long texts. The shortened text is a copy, because a
 * slice would keep the whole text in memory.
 */
function cut(text: string): string {
  if (text.length <= MOST_CHARACTERS) return hideCardNumbers(text)
  return Buffer.from(beginningOf(text, MOST_CHARACTERS) + CUT).toString()
}
