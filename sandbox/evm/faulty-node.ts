// A proxy in front of a real EVM node, which adds chosen faults, as rented nodes sometimes have them. The proxy is a
// separate server, so that two proxies of one chain can disagree.
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type Fields, isObject } from '../../src/platform/base/object.ts'

export type Faults = {
  /** Answers every call with this HTTP status. */
  readonly status?: number
  /** Accepts calls and never answers. */
  readonly silent?: boolean
  /** The largest number of blocks in a query for logs; a larger query gets the error -32005. */
  readonly maxBlocks?: number
  /** The largest number of addresses in a query for logs; a larger query gets the error -32602. */
  readonly maxAddresses?: number
  /** The number of blocks that is added to the reported head. */
  readonly headShift?: number
  /** The number of blocks between the head and the block that is reported as finalized. */
  readonly finalizedLag?: number
  /** Leaves out all logs, as a node does whose index lags behind. */
  readonly losesLogs?: boolean
  /** Reports a wrong value in each log. */
  readonly changesLogs?: boolean
  /** Writes logs as other node software does: with an additional field, and with the fields in another order. */
  readonly writesLogsInAnotherWay?: boolean
  readonly chainId?: number
}

export type FaultyNode = {
  readonly url: string
  set(faults: Faults): void
  /** The called methods, in order of the calls. */
  readonly calls: readonly string[]
  close(): Promise<void>
}

type Call = { readonly id: unknown; readonly method: string; readonly params: readonly unknown[] }
type Answer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } }

export async function startFaultyNode(upstream: string): Promise<FaultyNode> {
  let faults: Faults = {}
  const calls: string[] = []
  const server = http.createServer(async (request, response) => {
    const call = readCall(await text(request))
    calls.push(call.method)
    if (faults.silent === true) return
    if (faults.status !== undefined) {
      response.writeHead(faults.status, { 'content-type': 'text/plain' }).end('not now')
      return
    }
    const answer = await answerTo(call, faults, upstream)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ jsonrpc: '2.0', id: call.id, ...answer }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${portOf(server.address())}/v2/a-key`,
    set(next) {
      faults = next
    },
    calls,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0
}

function readCall(body: string): Call {
  const { id, method, params }: Fields = JSON.parse(body)
  return { id, method: String(method), params: Array.isArray(params) ? params : [] }
}

async function answerTo(call: Call, faults: Faults, upstream: string): Promise<Answer> {
  if (call.method === 'eth_chainId' && faults.chainId !== undefined) return { result: hex(faults.chainId) }
  if (call.method === 'eth_blockNumber' && faults.headShift !== undefined) {
    const answer = await pass(call, upstream)
    return 'result' in answer ? { result: hex(Number(answer.result) + faults.headShift) } : answer
  }
  if (call.params[0] === 'finalized' && faults.finalizedLag !== undefined) {
    const head = await pass({ ...call, method: 'eth_blockNumber', params: [] }, upstream)
    const number = 'result' in head ? Math.max(0, Number(head.result) - faults.finalizedLag) : 0
    return pass({ ...call, params: [hex(number), ...call.params.slice(1)] }, upstream)
  }
  const answer = await (call.method === 'eth_getLogs'
    ? logsFor(call, faults, upstream)
    : pass(call, upstream))
  return faults.writesLogsInAnotherWay === true && 'result' in answer
    ? { result: withOtherLogs(answer.result) }
    : answer
}

/** Rewrites the logs in a list or in a receipt. */
function withOtherLogs(result: unknown): unknown {
  if (Array.isArray(result)) return result.map((log) => (isObject(log) ? inAnotherWay(log) : log))
  return isObject(result) && Array.isArray(result.logs)
    ? { ...result, logs: withOtherLogs(result.logs) }
    : result
}

function inAnotherWay(log: Fields): Fields {
  return { blockTimestamp: '0x1', ...Object.fromEntries(Object.entries(log).toReversed()) }
}

async function logsFor(call: Call, faults: Faults, upstream: string): Promise<Answer> {
  const [filter] = call.params
  if (!isObject(filter)) return pass(call, upstream)
  const blocks = Number(filter.toBlock) - Number(filter.fromBlock) + 1
  if (blocks > (faults.maxBlocks ?? blocks))
    return {
      error: { code: -32005, message: `block range ${blocks} exceeds the limit of ${faults.maxBlocks}` },
    }
  const to: unknown = Array.isArray(filter.topics) ? filter.topics[2] : undefined
  const addresses = Array.isArray(to) ? to.length : 0
  if (addresses > (faults.maxAddresses ?? addresses))
    return { error: { code: -32602, message: 'exceed max topics' } }
  if (faults.losesLogs === true) return { result: [] }
  const answer = await pass(call, upstream)
  if (faults.changesLogs !== true || !('result' in answer) || !Array.isArray(answer.result)) return answer
  return { result: answer.result.map((log: Fields) => ({ ...log, data: `0x${'f'.repeat(64)}` })) }
}

async function pass({ method, params }: Call, upstream: string): Promise<Answer> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(upstream, { method: 'POST', headers, body })
  const answer: unknown = await response.json()
  if (!isObject(answer)) return { error: { code: -32603, message: 'the node sent nothing' } }
  if (!isObject(answer.error)) return { result: answer.result }
  return { error: { code: Number(answer.error.code), message: String(answer.error.message) } }
}

function hex(number: number): string {
  return `0x${number.toString(16)}`
}
