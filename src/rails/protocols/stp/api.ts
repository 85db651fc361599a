// STP's API over HTTP. Each request has a signature over its fields.
import type { KeyObject } from 'node:crypto'
import { type Fields, isObject } from '../../../platform/base/object.ts'
import {
  createHttpClient,
  type HttpClientOptions,
  parseJson,
} from '../../../platform/http/client/http-client.ts'
import { unknown } from '../../toolkit/outcomes.ts'
import { signRsa } from '../../toolkit/signature.ts'

type StpApiOptions = {
  readonly url: string
  readonly empresa: string
  readonly privateKey: KeyObject
  readonly http?: HttpClientOptions
}

/**
 * `result` is the field `resultado` of STP's answer, and `id` is the id in this field. If STP refuses an order, the
 * HTTP status is 200 and the id is zero or less.
 */
export type StpReply =
  | { readonly kind: 'result'; readonly id: number; readonly result: Fields }
  /** The request certainly did not reach STP. */
  | { readonly kind: 'unsent'; readonly why: string }
  | { readonly kind: 'unauthorised' }
  | { readonly kind: 'unknown'; readonly why: string }

export type StpApi = {
  register(order: OrderFields, signal: AbortSignal): Promise<StpReply>
  /** `day` is undefined for STP's current day, here and in `listReceived`. */
  findSent(claveRastreo: string, day: string | undefined, signal: AbortSignal): Promise<StpReply>
  listReceived(day: string | undefined, signal: AbortSignal): Promise<StpReply>
}

/** STP's number among the participants of SPEI. */
export const STP = 90646
/** The result id for "nothing found". Only this answer proves that STP has no such order. */
export const NO_ORDERS = -100
/** The limit is high, because a company may receive many thousands of orders a day. */
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
    if (reply.kind === 'silent') return unknown(reply.why)
    const parsed = parseJson(reply.text)
    // A 401 or 403 that is not JSON may come from a proxy after STP has accepted the order, so the outcome stays
    // unknown.
    if ((reply.status === 401 || reply.status === 403) && isObject(parsed)) return { kind: 'unauthorised' }
    const result = reply.status === 200 && isObject(parsed) ? parsed.resultado : undefined
    return isObject(result) && typeof result.id === 'number'
      ? { kind: 'result', id: result.id, result }
      : unknown(`STP responded ${reply.status} without a result`)
  }

  /** Sends a signed query. The signature covers `fields`, but not `more`. */
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
      // The amount is written as a JSON number with two decimals, without a conversion to a float.
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

const orderFields = [
  ...['institucionContraparte', 'empresa', 'fechaOperacion', 'folioOrigen', 'claveRastreo'],
  ...[
    'institucionOperante',
    'monto',
    'tipoPago',
    'tipoCuentaOrdenante',
    'nombreOrdenante',
    'cuentaOrdenante',
  ],
  ...['rfcCurpOrdenante', 'tipoCuentaBeneficiario', 'nombreBeneficiario', 'cuentaBeneficiario'],
  ...['rfcCurpBeneficiario', 'emailBeneficiario', 'tipoCuentaBeneficiario2', 'nombreBeneficiario2'],
  ...['cuentaBeneficiario2', 'rfcCurpBeneficiario2', 'conceptoPago', 'conceptoPago2', 'claveCatUsuario1'],
  ...['claveCatUsuario2', 'clavePago', 'referenciaCobranza', 'referenciaNumerica', 'tipoOperacion'],
  ...['topologia', 'usuario', 'medioEntrega', 'prioridad', 'iva'],
] as const

/** The fields of a request. A missing field is empty in the signed text. */
export type OrderFields = Readonly<Partial<Record<(typeof orderFields)[number], string | number>>>

/** Returns the text to sign ("cadena"): the fields in STP's fixed order, separated by bars. */
export function cadenaOf(fields: OrderFields): string {
  return `||${orderFields.map((name) => fields[name] ?? '').join('|')}||`
}

/**
 * Returns the text in the characters that STP accepts, shortened to `most` characters. Accents are removed. Spaces
 * replace the bar, which separates the signed fields, and all characters outside printable ASCII.
 */
export function plainText(text: string, most: number): string {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^ -~]|\|/gu, ' ')
  return plain.replace(/ +/g, ' ').trim().slice(0, most).trim()
}
