// One attempt over HTTP: bounded in time and in bytes whatever the other side does. Redirects are not followed, because
// nothing here follows them. Never throws; what went wrong is part of the outcome.
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { urlToHttpOptions } from 'node:url'
import { type AddressGuard, AddressRefused } from '../base/address-guard.ts'
import type { GuardedAgents } from '../base/guarded-agents.ts'

export type Outgoing = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type SendOutcome = {
  readonly latencyMs: number
  /** Undefined when no answer came. */
  readonly status: number | undefined
  /** As much of the answer as is looked at. */
  readonly answer: string
  /** Undefined when the answer came in whole. */
  readonly error: string | undefined
  /** The other side could not be reached or did not answer in time: the kind of failure that takes up a place. */
  readonly unreachable: boolean
}

export type Sender = {
  send(outgoing: Outgoing): Promise<SendOutcome>
  /** Cuts short whatever is under way, and closes the connections. */
  close(): void
}

export type SenderDeps = {
  readonly guard: AddressGuard
  readonly agents: GuardedAgents
  readonly timeoutMs: number
}

/** An acknowledgement is a word. Whoever sends more than this has not sent one. */
const MOST_ANSWER_BYTES = 16_384

/** A reset that comes later is an answer of a kind, and sending again could outlast the lease. */
const STALE_WITHIN_MS = 1_000

export function createSender(deps: SenderDeps): Sender {
  const underWay: UnderWay = new Set()
  return {
    async send(outgoing) {
      const first = await attempt(deps, outgoing, underWay)
      // A kept connection that the server closed just as we used it: what was sent went nowhere.
      const again = first.stale && first.outcome.latencyMs < STALE_WITHIN_MS
      return again ? (await attempt(deps, outgoing, underWay)).outcome : first.outcome
    },
    close() {
      for (const end of underWay) end('the gateway stopped before the answer came')
      deps.agents.close()
    },
  }
}

type End = (error?: string, unreachable?: boolean, stale?: boolean) => void
type UnderWay = Set<End>
type Attempt = { readonly outcome: SendOutcome; readonly stale: boolean }

function attempt(deps: SenderDeps, outgoing: Outgoing, underWay: UnderWay): Promise<Attempt> {
  const begunMs = performance.now()
  return new Promise((resolve) => {
    let request: ClientRequest | undefined
    let answer: Answer | undefined
    const end: End = (error, unreachable = false, stale = false) => {
      clearTimeout(deadline)
      underWay.delete(end)
      // The answer was cut: what is left of it is not waited for.
      if (error !== undefined) request?.destroy()
      const latencyMs = Math.round(performance.now() - begunMs)
      const seen = { status: answer?.status, answer: answer?.text() ?? '' }
      resolve({ outcome: { latencyMs, ...seen, error, unreachable }, stale })
    }
    const deadline = setTimeout(() => end(`no answer within ${deps.timeoutMs} ms`, true), deps.timeoutMs)
    underWay.add(end)
    try {
      request = open(deps, outgoing)
    } catch (error) {
      return end(reason(error))
    }
    request.on('response', (response) => {
      answer = readAnswer(response, end)
    })
    request.on('error', (error) => {
      const stale = request?.reusedSocket === true && answer === undefined && isReset(error)
      end(reason(error), !(error instanceof AddressRefused), stale)
    })
    request.end(outgoing.body)
  })
}

function open({ guard, agents }: SenderDeps, { url, headers }: Outgoing): ClientRequest {
  const target = URL.parse(url)
  if (target === null) throw new AddressRefused('the address is not a URL')
  const refusal = guard.refusal(target)
  if (refusal !== undefined) throw new AddressRefused(refusal)
  const { protocol, hostname, port, path, auth } = urlToHttpOptions(target)
  const options = { protocol, hostname, port, path, method: 'POST', headers, ...(auth && { auth }) }
  return protocol === 'https:'
    ? httpsRequest({ ...options, agent: agents.https })
    : httpRequest({ ...options, agent: agents.http })
}

type Answer = { readonly status: number | undefined; text(): string }

function readAnswer(response: IncomingMessage, end: End): Answer {
  const chunks: Buffer[] = []
  let size = 0
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    size += chunk.length
    if (size > MOST_ANSWER_BYTES) end(`the answer is longer than ${MOST_ANSWER_BYTES} bytes`)
  })
  response.on('end', () => end())
  response.on('error', (error) => end(reason(error), true))
  return {
    status: response.statusCode,
    text: () => Buffer.concat(chunks).subarray(0, MOST_ANSWER_BYTES).toString('utf8'),
  }
}

function isReset(error: Error): boolean {
  return 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
}

/** A connection that was tried at several addresses fails with no message of its own. */
function reason(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reason).join('; ')
  return error instanceof Error ? error.message : String(error)
}
