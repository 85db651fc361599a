// JSON-RPC over HTTP to one node of a chain. A node's address often contains the operator's key, so messages name its host only.
import { type Fields, isObject } from '../../base/object.ts'
import {
  createHttpClient,
  type HttpClientOptions,
  type HttpReply,
  parseJson,
} from '../../http/client/http-client.ts'
import { withDeadline } from '../deadline.ts'
import { withoutKeys } from '../their-reason.ts'

export type Rpc = {
  readonly host: string
  /** Throws an RpcFailure. */
  call(method: string, params: readonly unknown[], signal: AbortSignal): Promise<unknown>
}

export type RpcFailureKind =
  /** No answer, or none of this protocol. */
  | 'unavailable'
  /** The node does not accept our key. */
  | 'unauthorised'
  /** Too many calls at this moment. */
  | 'busy'
  /** The node does not do what was asked; often it asks for a smaller range of blocks. */
  | 'refused'
  /** An answer that makes no sense. */
  | 'malformed'

export class RpcFailure extends Error {
  override readonly name = 'RpcFailure'
  readonly kind: RpcFailureKind
  constructor(kind: RpcFailureKind, message: string) {
    super(message)
    this.kind = kind
  }
}

export type RpcOptions = {
  readonly url: URL
  readonly timeoutMs: number
  readonly http: HttpClientOptions
}

/** A block with all its transactions may have some megabytes. */
const MAX_RESPONSE_BYTES = 32 * 1024 * 1024
const MAX_MESSAGE = 200

export function openRpc({ url, timeoutMs, http }: RpcOptions): Rpc {
  const client = createHttpClient({ ...http, maxResponseBytes: MAX_RESPONSE_BYTES })
  const { host } = url
  const keys = keysIn(url)
  return {
    host,
    async call(method, params, signal) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      const reply = await withDeadline(timeoutMs, (deadline) =>
        client({
          method: 'POST',
          url,
          headers: { 'content-type': 'application/json' },
          body,
          signal: AbortSignal.any([signal, deadline]),
        }),
      )
      return resultOf(reply, `${host} ${method}`, keys)
    },
  }
}

const SHORTEST_KEY = 8

/** Whatever may be a key in the address of a node: it may repeat the address in an error. */
function keysIn({ pathname, searchParams, username, password }: URL): string[] {
  const parts = [...pathname.split('/'), ...searchParams.values(), username, password]
  return parts.filter((part) => part.length >= SHORTEST_KEY)
}

/** `what` names node and method; a node may repeat the keys in its address. */
export function resultOf(reply: HttpReply, what: string, keys: readonly string[] = []): unknown {
  if (reply.kind !== 'answer') throw new RpcFailure('unavailable', `${what}: ${reply.why}`)
  const { status, text } = reply
  if (status === 401 || status === 403)
    throw new RpcFailure('unauthorised', `${what}: the node answered ${status}; check the key in "rpcUrls"`)
  if (status === 429) throw new RpcFailure('busy', `${what}: too many calls for this plan of the node`)
  const body = parseJson(text)
  if (isObject(body) && isObject(body.error)) throw refusalOf(body.error, what, keys)
  if (status !== 200 || !isObject(body))
    throw new RpcFailure('unavailable', `${what}: the node answered ${status}`)
  if (body.result === undefined) throw new RpcFailure('malformed', `${what}: the answer has no result`)
  return body.result
}

/** Some plans say so with status 200. A smaller query would only be one call more. */
const isRateLimit = /rate.?limit|too many requests|(requests?|units) per second|request count exceeded/i

function refusalOf({ code, message }: Fields, what: string, keys: readonly string[]): RpcFailure {
  const text = typeof message === 'string' ? withoutKeys(message, keys) : 'no message'
  const why = text.slice(0, MAX_MESSAGE)
  const kind = code === 429 || isRateLimit.test(why) ? 'busy' : 'refused'
  return new RpcFailure(kind, `${what}: error ${String(code)}, ${why}`)
}
