// Every JSON response is one envelope: code, message, data, sign, in this order. The HTTP status is 200 for every success and
// refusal of an endpoint: merchants branch on the code.

import { type Code, catalogue, Refusal } from '../errors/catalogue.ts'
import type { Message, RenderBroken } from '../http/server/response.ts'
import { Overloaded } from '../postgres/batch.ts'

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

/** A request that reaches no endpoint: wrong path, verb, size or content type. */
export class TransportRefusal extends Refusal {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  constructor(status: number, detail: string, headers: Readonly<Record<string, string>> = {}) {
    super('99997', detail)
    this.status = status
    this.headers = headers
  }
}

export function writeSuccess(data: Readonly<Record<string, unknown>>, sign: string | undefined): Written {
  const code = '00000'
  return { status: 200, envelope: { code, message: catalogue[code], data, sign } }
}

export function writeRefusal(refusal: Refusal): Written {
  const { code, message } = refusal
  const envelope = { code, message }
  if (refusal instanceof TransportRefusal)
    return { status: refusal.status, envelope, headers: refusal.headers }
  if (code === '10107') return { status: 429, envelope, headers: retryAfter(refusal.retryAfterSeconds) }
  return { status: 200, envelope }
}

/** The seconds are computed where the request is refused. */
function retryAfter(seconds: number | undefined): Readonly<Record<string, string>> {
  return seconds === undefined ? {} : { 'retry-after': String(seconds) }
}

/** Vietnam Pay has its own HTTP statuses and messages for bad input and an unknown bank. */
export function writeVietnamRefusal(refusal: Refusal): Written {
  if (refusal instanceof TransportRefusal) return writeRefusal(refusal)
  const { code, message } = refusal
  if (code === '10002' || code === '99996' || code === '99997')
    return { status: 400, envelope: { code, message: `Invalid input: ${message}` } }
  if (code === '10013') return { status: 404, envelope: { code, message: `Record not found: ${message}` } }
  return writeRefusal(refusal)
}

/** An error that is not a refusal. 99999 never means refused: the order may exist. */
export function writeFault(error: unknown, requestId: string): Written {
  if (error instanceof Overloaded) return writeUnavailable(error.message, error.retryAfterSeconds)
  const refusal = new Refusal('99999', `request ${requestId}; query the order before trying again`)
  return writeRefusal(refusal)
}

/** Nothing was stored: the same request may be sent again. */
export function writeUnavailable(why: string, retryAfterSeconds: number): Written {
  const { code, message } = new Refusal('99999', `${why}; nothing was stored, try again`)
  return { status: 503, envelope: { code, message }, headers: retryAfter(retryAfterSeconds) }
}

const JSON_TYPE = 'application/json; charset=utf-8'

export function asJson({ status, envelope, headers }: Written): Message {
  return { status, type: JSON_TYPE, text: JSON.stringify(envelope), headers }
}

export const renderBroken: RenderBroken = (why) => asJson(writeRefusal(new Refusal('99997', why)))
