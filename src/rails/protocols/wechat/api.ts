// WeChat Pay's API v3 over HTTP. We sign requests. We accept only signed responses, except for WeChat Pay's own 401.
import { type KeyObject, randomBytes } from 'node:crypto'
import type { Clock } from '../../../platform/base/clock.ts'
import { isObject } from '../../../platform/base/object.ts'
import {
  createHttpClient,
  type HttpClientOptions,
  parseJson,
} from '../../../platform/http/client/http-client.ts'
import type { Reply } from '../../toolkit/transport.ts'
import { authorise, isFromPlatform, type Signer } from './signature.ts'

export type WechatCall = {
  readonly method: 'GET' | 'POST'
  /** The path with its query. */
  readonly path: string
  readonly body?: unknown
}

export type WechatApi = (call: WechatCall, signal: AbortSignal) => Promise<Reply>

export type WechatApiOptions = {
  readonly url: string
  readonly signer: Signer
  readonly platformKey: KeyObject
  readonly clock: Clock
  readonly http?: HttpClientOptions
}

export function createWechatApi(options: WechatApiOptions): WechatApi {
  const { url, signer, platformKey, clock, http } = options
  const client = createHttpClient(http)
  return async ({ method, path, body }, signal) => {
    const target = new URL(url + path)
    const text = body === undefined ? '' : JSON.stringify(body)
    const nonce = randomBytes(16).toString('hex')
    const signed = { method, path: target.pathname + target.search, body: text, nonce, now: clock.now() }
    const headers = {
      authorization: authorise(signer, signed),
      accept: 'application/json',
      'content-type': 'application/json',
      // The platform refuses requests without a user agent.
      'user-agent': 'tollgate',
    }
    const reply = await client({ method, url: target, headers, body: text, signal })
    if (reply.kind !== 'answer') return reply
    const isTrue = isFromPlatform({ headers: reply.headers, body: reply.text }, platformKey, clock.now())
    // WeChat Pay never signs a 401. A 401 with a code is WeChat Pay's own, and proves that WeChat Pay did nothing. A
    // 401 without a code may be the error page of a proxy, so it counts as no response.
    if (!isTrue && reply.status === 401 && hasCode(reply.text))
      return { kind: 'answer', status: 401, body: undefined }
    if (!isTrue) return { kind: 'silent', why: `the response (${reply.status}) is not signed by WeChat Pay` }
    return { kind: 'answer', status: reply.status, body: parseJson(reply.text) }
  }
}

function hasCode(text: string): boolean {
  const body = parseJson(text)
  return isObject(body) && typeof body.code === 'string'
}
