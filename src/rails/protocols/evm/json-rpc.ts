// JSON-RPC over HTTP to one node of a chain. A node's URL often contains the operator's API key, so messages contain
// only the host. No library such as viem is used, because the gateway calls only about ten methods, and viem took more
// than a second to load and 38 MB of memory.
import { type Fields, isObject } from '../../../platform/base/object.ts'
import {
  createHttpClient,
  type HttpClientOptions,
  type HttpReply,
  parseJson,
} from '../../../platform/http/client/http-client.ts'
import { withoutKeys } from '../../contract/counterparty-texts.ts'
import { withDeadline } from '../../toolkit/deadline.ts'

export type Rpc = {
  readonly host: string
  /** Calls the method. Throws an RpcFailure if the node returns no result. */
  call(method: string, params: readonly unknown[], signal: AbortSignal): Promise<unknown>
}

type RpcFailureKind =
  /** The node did not answer, its answer is not JSON-RPC, or it lacks the requested block or the newest blocks. */
  | 'unavailable'
  /** The node does not accept our API key. */
  | 'unauthorised'
  /** The node's rate limit is reached. */
  | 'busy'
  /** The node returned a JSON-RPC error, often because of too many blocks, or our settings do not fit the chain. */
  | 'refused'
  /** The answer is JSON-RPC, but not a valid result of the method, or the nodes disagree. */
  | 'malformed'

export class RpcFailure extends Error {
  override readonly name = 'RpcFailure'
  readonly kind: RpcFailureKind
  constructor(kind: RpcFailureKind, message: string) {
    super(message)
    this.kind = kind
  }
}

type RpcOptions = {
  readonly url: URL
  readonly timeoutMs: number
  readonly http: HttpClientOptions
}

/** The limit is high, because a block with all its transactions may have several megabytes. */
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

/**
 * Returns the parts of the URL that may be an API key. A node may repeat the key in an error message, so these parts
 * must be masked.
 */
function keysIn({ pathname, searchParams, username, password }: URL): string[] {
  const parts = [...pathname.split('/'), ...searchParams.values(), username, password]
  return parts.filter((part) => part.length >= SHORTEST_KEY)
}

/**
 * Returns the result or throws an RpcFailure. `what` names node and method in messages. `keys` are masked in messages.
 */
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

/**
 * Matches messages about a rate limit, which some providers send with status 200. The failure must not be 'refused':
 * the gateway repeats a refused query in halves, which would mean even more calls.
 */
const isRateLimit = /rate.?limit|too many requests|(requests?|units) per second|request count exceeded/i

function refusalOf({ code, message }: Fields, what: string, keys: readonly string[]): RpcFailure {
  const text = typeof message === 'string' ? withoutKeys(message, keys) : 'no message'
  const why = text.slice(0, MAX_MESSAGE)
  const kind = code === 429 || isRateLimit.test(why) ? 'busy' : 'refused'
  return new RpcFailure(kind, `${what}: error ${String(code)}, ${why}`)
}
