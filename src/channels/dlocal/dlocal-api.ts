// dLocal's API for payments over HTTP, each request signed.
import type { Clock } from '../../base/clock.ts'
import { createHttpClient, parseJson } from '../../http/client/http-client.ts'
import type { Reply } from '../transport.ts'
import { type Signer, signatureOf } from './signature.ts'

export type DlocalApi = {
  get(path: string, signal: AbortSignal): Promise<Reply>
  /** May be repeated once if the connection breaks. */
  post(path: string, body: string, signal: AbortSignal): Promise<Reply>
  /** Never repeated: on a connection of its own, which cannot have gone stale. */
  postOnce(path: string, body: string, signal: AbortSignal): Promise<Reply>
}

export type DlocalApiOptions = Signer & {
  readonly url: string
  readonly transKey: string
  readonly clock: Clock
}

const VERSION = '2.1'

export function createDlocalApi(options: DlocalApiOptions): DlocalApi {
  const { url, login, transKey, clock } = options
  const shared = createHttpClient()

  async function send(
    client: typeof shared,
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
    get: (path, signal) => send(shared, 'GET', path, '', signal),
    post: (path, body, signal) => send(shared, 'POST', path, body, signal),
    postOnce: (path, body, signal) => send(createHttpClient(), 'POST', path, body, signal),
  }
}
