// Sends the requests of the checks, with a right signature or one that is wrong on purpose.
import type { Fields } from '../../platform/base/object.ts'
import { createHttpClient, parseJson } from '../../platform/http/client/http-client.ts'
import { signatureHeader, signRequest, timestampHeader } from '../toolkit/signature.ts'
import type { Reply } from '../toolkit/transport.ts'
import { type Answer, Broken, type SignatureChanges } from './check.ts'

const TIMEOUT_MS = 20_000
const IN_TIME = `Answer within ${TIMEOUT_MS / 1000} seconds, the gateway's own limit in live (TOLLGATE_CHANNEL_TIMEOUT_MS). If the rail takes longer, answer with the state so far, and report the rest by a callback.`

export type Caller = {
  tryCall(operation: string, body: Fields): Promise<Reply>
  call(operation: string, body: Fields): Promise<Answer>
  callWith(operation: string, body: string, changes: SignatureChanges): Promise<Reply>
}

export function openCaller({ url: base, secret }: { readonly url: string; readonly secret: string }): Caller {
  const client = createHttpClient()

  async function callWith(operation: string, body: string, changes: SignatureChanges): Promise<Reply> {
    const url = new URL(`${base}/v1/${operation}`)
    const timestamp = String(Math.floor(Date.now() / 1000) + (changes.ageS ?? 0))
    const parts = {
      method: 'POST',
      path: changes.path ?? url.pathname,
      timestamp,
      body: changes.body ?? body,
    }
    const signature = changes.signature ?? signRequest(changes.secret ?? secret, parts)
    const headers = {
      'content-type': 'application/json',
      ...(changes.unsigned !== true && { [timestampHeader]: timestamp }),
      ...(changes.unsigned !== true && signature !== '' && { [signatureHeader]: signature }),
    }
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const reply = await client({ method: 'POST', url, body, headers, signal })
    return reply.kind === 'answer'
      ? { kind: 'answer', status: reply.status, body: parseJson(reply.text) }
      : reply
  }

  const tryCall = (operation: string, body: Fields) => callWith(operation, JSON.stringify(body), {})

  return {
    callWith,
    tryCall,
    async call(operation, body) {
      const reply = await tryCall(operation, body)
      if (reply.kind === 'answer') return reply
      throw new Broken(`The bridge did not answer "${operation}": ${reply.why}.`, IN_TIME)
    },
  }
}
