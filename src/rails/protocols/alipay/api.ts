// Alipay's gateway over HTTP: one address, with the operation as a parameter. A redirect may be unsigned. Every other
// response must be signed by Alipay.
import type { KeyObject } from 'node:crypto'
import type { Clock } from '../../../platform/base/clock.ts'
import { type Fields, isObject } from '../../../platform/base/object.ts'
import {
  createHttpClient,
  type HttpClientOptions,
  type HttpReply,
  type Unanswered,
} from '../../../platform/http/client/http-client.ts'
import { type App, commonParams } from './page.ts'
import { readAnswer, signParams } from './signature.ts'

export type AlipayReply = { readonly kind: 'answer'; readonly content: Fields } | Unanswered

export type AlipayApi = {
  call(method: string, content: Fields, signal: AbortSignal): Promise<AlipayReply>
  /** Opens the payment page as a payer's browser would. Alipay redirects if it accepts the request. */
  open(url: string, signal: AbortSignal): Promise<{ readonly kind: 'redirects' } | AlipayReply>
}

export type AlipayApiOptions = {
  readonly app: App
  readonly alipayKey: KeyObject
  readonly clock: Clock
  readonly http?: HttpClientOptions
}

export function createAlipayApi({ app, alipayKey, clock, http }: AlipayApiOptions): AlipayApi {
  const client = createHttpClient(http)
  return {
    async call(method, content, signal) {
      const params = { ...commonParams(app, method, clock.now()), biz_content: JSON.stringify(content) }
      const body = new URLSearchParams(signParams(params, app.privateKey)).toString()
      const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }
      const url = new URL(`${app.url}?charset=utf-8`)
      const reply = await client({ method: 'POST', url, headers, body, signal })
      return read(reply, alipayKey, `${method.replaceAll('.', '_')}_response`)
    },
    async open(url, signal) {
      const reply = await client({ method: 'GET', url: new URL(url), signal })
      const isRedirect = reply.kind === 'answer' && reply.status >= 300 && reply.status < 400
      return isRedirect && reply.headers.location !== undefined
        ? { kind: 'redirects' }
        : read(reply, alipayKey, ERROR_NODE)
    },
  }
}

const ERROR_NODE = 'error_response'

/** Reads a response. An unsigned response, or a signed response to another operation, counts as no response. */
function read(reply: HttpReply, alipayKey: KeyObject, node: string): AlipayReply {
  if (reply.kind !== 'answer') return reply
  const answer = readAnswer(reply.text, alipayKey)
  const isOurs = answer?.node === node || answer?.node === ERROR_NODE
  return isOurs && isObject(answer.content)
    ? { kind: 'answer', content: answer.content }
    : { kind: 'silent', why: `the response (${reply.status}) is not signed by Alipay` }
}
