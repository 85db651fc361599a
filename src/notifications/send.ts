// One attempt over HTTP: bounded in time and in bytes whatever the other side does. Redirects are not followed, because
// nothing here follows them. Never throws; what went wrong is part of the outcome.
import { type AddressGuard, AddressRefused } from '../base/address-guard.ts'
import type { GuardedConnections, PostEnd, Posting } from '../base/guarded-connections.ts'

export type Outgoing = {
  readonly url: URL
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
  readonly connections: GuardedConnections
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
      deps.connections.close()
    },
  }
}

type End = (error?: string, unreachable?: boolean, stale?: boolean) => void
type UnderWay = Set<End>
type Attempt = { readonly outcome: SendOutcome; readonly stale: boolean }

function attempt(deps: SenderDeps, outgoing: Outgoing, underWay: UnderWay): Promise<Attempt> {
  const begunMs = performance.now()
  return new Promise((resolve) => {
    let posting: Posting | undefined
    const end: End = (error, unreachable = false, stale = false) => {
      clearTimeout(deadline)
      underWay.delete(end)
      // What is left of an answer that takes too long is not waited for.
      if (error !== undefined) posting?.cut()
      const latencyMs = Math.round(performance.now() - begunMs)
      const seen = { status: posting?.status(), answer: posting?.text() ?? '' }
      resolve({ outcome: { latencyMs, ...seen, error, unreachable }, stale })
    }
    const ended = ({ error, stale }: PostEnd) => {
      if (error === undefined) return end()
      end(reason(error), !isRefusal(error, posting), stale)
    }
    const deadline = setTimeout(() => end(`no answer within ${deps.timeoutMs} ms`, true), deps.timeoutMs)
    underWay.add(end)
    try {
      posting = post(deps, outgoing, ended)
    } catch (error) {
      end(reason(error))
    }
  })
}

function post(
  { guard, connections }: SenderDeps,
  { url, headers, body }: Outgoing,
  ended: (end: PostEnd) => void,
): Posting {
  const refusal = guard.refusal(url)
  if (refusal !== undefined) throw new AddressRefused(refusal)
  return connections.post({ url, headers, body, mostAnswerBytes: MOST_ANSWER_BYTES, ended })
}

/** Whoever answers at all, be it too much, is there. */
function isRefusal(error: Error, posting: Posting | undefined): boolean {
  return error instanceof AddressRefused || posting?.status() !== undefined
}

/** A connection that was tried at several addresses fails with no message of its own. */
function reason(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reason).join('; ')
  return error instanceof Error ? error.message : String(error)
}
