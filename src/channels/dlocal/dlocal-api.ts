// dLocal's API for payments over HTTP, each request signed.
import type { Clock } from '../../base/clock.ts'
import { createHttpClient, type HttpClientOptions, parseJson } from '../../http/client/http-client.ts'
import type { Reply } from '../transport.ts'
import { type Signer, signatureOf } from './signature.ts'

export type DlocalApi = {
  get(path: string, signal: AbortSignal): Promise<Reply>
  post(path: string, body: string, signal: AbortSignal): Promise<Reply>
}

export type DlocalApiOptions = Signer & {
  readonly url: string
  readonly transKey: string
  readonly clock: Clock
  readonly http: HttpClientOptions
}

const VERSION = '2.1'

export function createDlocalApi(options: DlocalApiOptions): DlocalApi {
  const { url, login, transKey, clock, http } = options
  const client = createHttpClient(http)

  async function send(
    method: 'GET' | 'POST',
    path: string,
    body: string,
    signal: AbortSignal,
  ): Promise<Reply> {
    const date = clock.now().toISOString()
    const headers = {
      'x-date': date,
      'x-login': login,
      'x-trans-key': transKey,
      'x-version': VERSION,
      'content-type': 'application/json',
      authorization: signatureOf(options, date, body),
    }
    const reply = await client({ method, url: new URL(url + path), headers, body, signal })
    return reply.kind === 'answer' ? { ...reply, body: parseJson(reply.text) } : reply
  }

  return {
    get: (path, signal) => send('GET', path, '', signal),
    post: (path, body, signal) => send('POST', path, body, signal),
  }
}
