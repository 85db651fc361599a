// The envelope of every JSON response. The HTTP status is 200 even for refusals, because merchants' programs decide by
// the code. The exceptions are 429 for rate limits, 503 if nothing was stored and the request may be sent again, 4xx
// for a request that reaches no endpoint, and the statuses of Vietnam Pay.

import { type Code, catalogue, Refusal } from '../../platform/errors/catalogue.ts'
import type { Message, RenderBroken } from '../../platform/http/server/response.ts'
import { Overloaded } from '../../platform/postgres/batch.ts'
import { OUTAGE_SECONDS, outageOf } from '../../platform/postgres/outages.ts'

/** The keys are written in this order. */
export type Envelope = {
  readonly code: Code
  readonly message: string
  readonly data?: Readonly<Record<string, unknown>>
  readonly sign?: string | undefined
}

export type Written = {
  readonly status: number
  readonly envelope: Envelope
  readonly headers?: Readonly<Record<string, string>>
}

/** The refusal of a request that reaches no endpoint: its path, HTTP method, size or content type is wrong. */
export class TransportRefusal extends Refusal {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  constructor(status: number, detail: string, headers: Readonly<Record<string, string>> = {}) {
    super('99997', detail)
    this.status = status
    this.headers = headers
  }
}

/**
 * The refusal of a payment that repeats an accepted payment field by field. `data` contains the trade number of the
 * accepted payment.
 */
export class RepeatedPayment extends Refusal {
  readonly data: { readonly tradeNo: string }
  /** The signature of the data. Set if the merchant's responses are signed. */
  sign: string | undefined
  constructor({ code }: Refusal, tradeNo: string) {
    super(code)
    this.data = { tradeNo }
  }
}

export function writeSuccess(data: Readonly<Record<string, unknown>>, sign: string | undefined): Written {
  const code = '00000'
  return { status: 200, envelope: { code, message: catalogue[code], data, sign } }
}

export function writeRefusal(refusal: Refusal): Written {
  const { code, message } = refusal
  const envelope =
    refusal instanceof RepeatedPayment
      ? { code, message, data: refusal.data, sign: refusal.sign }
      : { code, message }
  if (refusal instanceof TransportRefusal)
    return { status: refusal.status, envelope, headers: refusal.headers }
  if (code === '10107') return { status: 429, envelope, headers: retryAfter(refusal.retryAfterSeconds) }
  return { status: 200, envelope }
}

function retryAfter(seconds: number | undefined): Readonly<Record<string, string>> {
  return seconds === undefined ? {} : { 'retry-after': String(seconds) }
}

/**
 * Writes a refusal of Vietnam Pay. Vietnam Pay has its own HTTP statuses and messages for invalid input and for an
 * unknown bank.
 */
export function writeVietnamRefusal(refusal: Refusal): Written {
  if (refusal instanceof TransportRefusal) return writeRefusal(refusal)
  const { code, message } = refusal
  if (code === '10002' || code === '99996' || code === '99997')
    return { status: 400, envelope: { code, message: `Invalid input: ${message}` } }
  if (code === '10013') return { status: 404, envelope: { code, message: `Record not found: ${message}` } }
  return writeRefusal(refusal)
}

/**
 * Writes an error that is not a refusal. With code 99999 and status 200, the order may exist. `onlyRead` is true if the
 * request cannot have stored anything yet.
 */
export function writeFault(error: unknown, requestId: string, onlyRead = false): Written {
  if (error instanceof Overloaded) return writeUnavailable(error.message, error.retryAfterSeconds)
  const outage = outageOf(error)
  if (outage === 'nothing stored' || (outage !== undefined && onlyRead))
    return writeUnavailable('the database cannot be used', OUTAGE_SECONDS)
  const refusal = new Refusal('99999', `request ${requestId}; query the order before trying again`)
  return writeRefusal(refusal)
}

export function writeUnavailable(why: string, retryAfterSeconds: number): Written {
  const { code, message } = new Refusal('99999', `${why}; nothing was stored, try again`)
  return { status: 503, envelope: { code, message }, headers: retryAfter(retryAfterSeconds) }
}

const JSON_TYPE = 'application/json; charset=utf-8'

export function asJson({ status, envelope, headers }: Written): Message {
  return { status, type: JSON_TYPE, text: JSON.stringify(envelope), headers }
}

export const renderBroken: RenderBroken = (why) => asJson(writeRefusal(new Refusal('99997', why)))
