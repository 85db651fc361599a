// Alipay's gateway over HTTP: one address, the operation a parameter; answers believed only when Alipay signed them.
import type { KeyObject } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import { type Fields, isObject } from '../../base/object.ts'
import { createHttpClient, type HttpReply, type Unanswered } from '../../http/client/http-client.ts'
import { type App, commonParams } from './page.ts'
import { readAnswer, signParams } from './signature.ts'

export type AlipayReply = { readonly kind: 'answer'; readonly content: Fields } | Unanswered

export type AlipayApi = {
  call(method: string, content: Fields, signal: AbortSignal): Promise<AlipayReply>
  /** Whether Alipay opens the page to a payer: it leads on, or says why not. */
  open(url: string, signal: AbortSignal): Promise<{ readonly kind: 'leads-on' } | AlipayReply>
}

export type AlipayApiOptions = { readonly app: App; readonly alipayKey: KeyObject; readonly clock: Clock }

export function createAlipayApi({ app, alipayKey, clock }: AlipayApiOptions): AlipayApi {
  const client = createHttpClient()
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
      const isLed = reply.kind === 'answer' && reply.status >= 300 && reply.status < 400
      return isLed && reply.headers.location !== undefined
        ? { kind: 'leads-on' }
        : read(reply, alipayKey, ERROR_NODE)
    },
  }
}

const ERROR_NODE = 'error_response'

/** An answer to another question is none, whoever signed it. */
function read(reply: HttpReply, alipayKey: KeyObject, node: string): AlipayReply {
  if (reply.kind !== 'answer') return reply
  const answer = readAnswer(reply.text, alipayKey)
  const isOurs = answer?.node === node || answer?.node === ERROR_NODE
  return isOurs && isObject(answer.content)
    ? { kind: 'answer', content: answer.content }
    : { kind: 'silent', why: `an answer (${reply.status}) that Alipay did not sign` }
}
