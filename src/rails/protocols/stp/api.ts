// STP's calls over HTTP, each with a signature over its fields.
import type { KeyObject } from 'node:crypto'
import { type Fields, isObject } from '../../base/object.ts'
import { createHttpClient, type HttpClientOptions, parseJson } from '../../http/client/http-client.ts'
import { signRsa } from '../rsa-signature.ts'
import { cadenaOf, type OrderFields } from './cadena.ts'

export type StpApiOptions = {
  readonly url: string
  readonly empresa: string
  readonly privateKey: KeyObject
  readonly http?: HttpClientOptions
}

/** `resultado` of the response. STP answers refusals with HTTP 200 too, and an id of zero or below. */
export type StpReply =
  | { readonly kind: 'result'; readonly id: number; readonly result: Fields }
  /** Certainly not seen by STP. */
  | { readonly kind: 'unsent'; readonly why: string }
  | { readonly kind: 'unauthorised' }
  | { readonly kind: 'unknown'; readonly why: string }

export type StpApi = {
  register(order: OrderFields, signal: AbortSignal): Promise<StpReply>
  /** A sent order. */
  findSent(claveRastreo: string, day: string | undefined, signal: AbortSignal): Promise<StpReply>
  /** The received orders of a day; undefined: of today. */
  listReceived(day: string | undefined, signal: AbortSignal): Promise<StpReply>
}

/** STP's number among the participants of SPEI. */
export const STP = 90646
/** Nothing found: the only answer that proves absence. */
export const NO_ORDERS = -100
/** A company may receive thousands of orders a day. */
const MAX_RESPONSE_BYTES = 33_554_432

export function createStpApi({ url, empresa, privateKey, http }: StpApiOptions): StpApi {
  const client = createHttpClient({ ...http, maxResponseBytes: MAX_RESPONSE_BYTES })

  async function call(
    method: 'PUT' | 'POST',
    path: string,
    body: string,
    signal: AbortSignal,
  ): Promise<StpReply> {
    const headers = { 'content-type': 'application/json' }
    const at = new URL(`${url}/speiws/rest/ordenPago/${path}`)
    const reply = await client({ method, url: at, headers, body, signal })
    if (reply.kind === 'unsent') return reply
    if (reply.kind === 'silent') return { kind: 'unknown', why: reply.why }
    const parsed = parseJson(reply.text)
    // A foreign page may be that of a proxy, after STP has taken the order.
    if ((reply.status === 401 || reply.status === 403) && isObject(parsed)) return { kind: 'unauthorised' }
    const result = reply.status === 200 && isObject(parsed) ? parsed.resultado : undefined
    return isObject(result) && typeof result.id === 'number'
      ? { kind: 'result', id: result.id, result }
      : { kind: 'unknown', why: `STP responded ${reply.status} without a result` }
  }

  /** STP wants the day of past days only. */
  function ask(path: string, fields: OrderFields, more: Fields, signal: AbortSignal): Promise<StpReply> {
    const question = { empresa, ...fields }
    const firma = signRsa(cadenaOf(question), privateKey)
    return call('POST', path, JSON.stringify({ ...question, ...more, firma }), signal)
  }

  return {
    register(order, signal) {
      const named = { ...order, empresa }
      const firma = signRsa(cadenaOf(named), privateKey)
      const { monto, ...rest } = named
      // The amount is a number with two decimals, and never calculated with.
      const body = `{"monto":${monto},${JSON.stringify({ ...rest, firma }).slice(1)}`
      return call('PUT', 'registra', body, signal)
    },
    findSent: (claveRastreo, day, signal) =>
      ask('consOrdEnvRastreo', { claveRastreo, institucionOperante: STP, ...onDay(day) }, {}, signal),
    listReceived: (day, signal) => ask('consOrdenesFech', onDay(day), { estado: 'R' }, signal),
  }
}

function onDay(day: string | undefined): OrderFields {
  return day === undefined ? {} : { fechaOperacion: Number(day) }
}
