// Calls with an OAuth access token, which is fetched on demand, shared by all calls, and renewed when the counterparty
// refuses it.
//
// A 401 of the counterparty itself means that the call was not accepted. A 401 of somebody else, such as a proxy, may
// arrive after the counterparty accepted the call. If the retry after a 401 of somebody else fails, only a query
// returns the retry's result. Any other call returns the 401, because the first call may have had its effect.
import type { Clock } from '../../platform/base/clock.ts'
import { isObject } from '../../platform/base/object.ts'
import { type HttpReply, parseJson } from '../../platform/http/client/http-client.ts'
import type { Reply } from './transport.ts'

export type TokenCallsOptions = {
  readonly clock: Clock
  readonly request: (signal: AbortSignal) => Promise<HttpReply>
  /**
   * Returns the call's result if the status of the token response means that our credentials are refused. Undefined for
   * other statuses.
   */
  readonly refusedBy: (status: number) => Reply | undefined
  /** True if the counterparty itself wrote this 401. */
  readonly isOwn: (refusal: Reply) => boolean
}

export type TokenCalls = (call: {
  /** True for a query, which moves no money and may be repeated. */
  readonly isQuestion: boolean
  readonly signal: AbortSignal
  readonly send: (token: string) => Promise<Reply>
}) => Promise<Reply>

type Token = { readonly text: string; readonly until: number }

/** A token is not used in its last seconds, because it could expire in transit. */
const SPARE_S = 10

export function createTokenCalls({ clock, request, refusedBy, isOwn }: TokenCallsOptions): TokenCalls {
  let token: Token | undefined

  async function fetchToken(signal: AbortSignal): Promise<Token | Reply> {
    const reply = await request(signal)
    // The call needs the token, so without a token the call is certainly unsent.
    if (reply.kind !== 'answer') return { kind: 'unsent', why: reply.why }
    const refused = refusedBy(reply.status)
    if (refused !== undefined) return refused
    const body = parseJson(reply.text)
    const { access_token: text, expires_in: lifeS } = isObject(body) ? body : {}
    if (reply.status !== 200 || typeof text !== 'string' || !/^[\x21-\x7e]+$/.test(text))
      return { kind: 'unsent', why: `no access token: the response was ${reply.status}` }
    const seconds = typeof lifeS === 'number' ? lifeS : 0
    return { text, until: clock.now().getTime() + (seconds - SPARE_S) * 1000 }
  }

  async function freshToken(signal: AbortSignal): Promise<Token | Reply> {
    if (token !== undefined && clock.now().getTime() < token.until) return token
    const fetched = await fetchToken(signal)
    if ('text' in fetched) token = fetched
    return fetched
  }

  return async ({ isQuestion, signal, send }) => {
    const first = await freshToken(signal)
    if ('kind' in first) return first
    const reply = await send(first.text)
    if (reply.kind !== 'answer' || reply.status !== 401) return reply
    if (token === first) token = undefined
    const second = await freshToken(signal)
    const again = 'kind' in second ? second : await send(second.text)
    const isSuccess = again.kind === 'answer' && again.status < 300
    return isQuestion || isOwn(reply) || isSuccess ? again : reply
  }
}
