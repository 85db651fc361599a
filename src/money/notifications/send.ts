// One attempt over HTTP, bounded in time and in bytes whatever the other side does. Redirects are not followed. Never throws:
// an error is part of the outcome.
import { AddressRefused } from '../http/client/address-guard.ts'
import type { PostEnd, Posting, PostUnderWay, Seen } from '../http/client/posting.ts'

export type Outgoing = {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type SendOutcome = {
  readonly latencyMs: number
  /** Undefined without a response. */
  readonly status: number | undefined
  /** The part of the response that was read. */
  readonly answer: string
  /** Undefined when the response is complete. */
  readonly error: string | undefined
  /** The other side was not reachable or did not respond in time: this kind of failure occupies a slot for long. */
  readonly unreachable: boolean
}

export type Sender = {
  send(outgoing: Outgoing): Promise<SendOutcome>
  /** Aborts all attempts under way, and closes the connections. */
  close(): void
}

export type SenderDeps = {
  readonly posting: Posting
  readonly timeoutMs: number
}

/** An acknowledgement is a single word, so longer responses are none. This much is read to be shown to operators. */
export const MOST_ANSWER_BYTES = 1_024

/** A later reset counts as a response; sending again could outlast the lease. */
const STALE_WITHIN_MS = 1_000

type UnderWay = {
  readonly outgoing: Outgoing
  readonly begunMs: number
  readonly isFirst: boolean
  readonly resolve: (outcome: SendOutcome) => void
  post: PostUnderWay | undefined
}

export function createSender({ posting, timeoutMs }: SenderDeps): Sender {
  /** In order of their start, so also in order of their deadlines. */
  const underWay = new Set<UnderWay>()
  let alarm: NodeJS.Timeout | undefined

  function begin(outgoing: Outgoing, isFirst: boolean, resolve: (outcome: SendOutcome) => void): void {
    const one: UnderWay = { outgoing, begunMs: performance.now(), isFirst, resolve, post: undefined }
    underWay.add(one)
    alarm ??= setTimeout(cutLate, timeoutMs).unref()
    try {
      const { url, headers, body } = outgoing
      const report = (end: PostEnd) => ended(one, end)
      one.post = posting.post({ url, headers, body, mostResponseBytes: MOST_ANSWER_BYTES, ended: report })
    } catch (error) {
      finish(one, NOTHING_SEEN, reason(error), false)
    }
  }

  function ended(one: UnderWay, end: PostEnd): void {
    const { error } = end
    if (error === undefined) finish(one, end, undefined, false)
    else if (wentNowhere(one, end)) {
      underWay.delete(one)
      begin(one.outgoing, false, one.resolve)
    } else finish(one, end, reason(error), !isRefusal(error, end))
  }

  /** Ends a response that takes too long. */
  function cut(one: UnderWay, why: string, unreachable: boolean): void {
    finish(one, one.post?.cut() ?? NOTHING_SEEN, why, unreachable)
  }

  function finish(one: UnderWay, seen: Seen, error: string | undefined, unreachable: boolean): void {
    underWay.delete(one)
    const latencyMs = Math.round(performance.now() - one.begunMs)
    one.resolve({ latencyMs, status: seen.status, answer: seen.text, error, unreachable })
  }

  /** One timer for all, set for the oldest: most attempts are long over when it fires. */
  function cutLate(): void {
    alarm = undefined
    for (const one of underWay) {
      const leftMs = one.begunMs + timeoutMs - performance.now()
      if (leftMs > 0) {
        alarm = setTimeout(cutLate, Math.ceil(leftMs)).unref()
        return
      }
      cut(one, `no answer within ${timeoutMs} ms`, true)
    }
  }

  return {
    send: (outgoing) => new Promise((resolve) => begin(outgoing, true, resolve)),
    close() {
      clearTimeout(alarm)
      for (const one of underWay) cut(one, 'the gateway stopped before the answer came', false)
      posting.close()
    },
  }
}

const NOTHING_SEEN: Seen = { status: undefined, text: '' }

/** A keep-alive connection that the server closed just as we used it. */
function wentNowhere({ isFirst, begunMs }: UnderWay, { stale }: PostEnd): boolean {
  return stale && isFirst && performance.now() - begunMs < STALE_WITHIN_MS
}

/** A refused address, or a host that responded: neither is unreachable. */
function isRefusal(error: Error, { status }: Seen): boolean {
  return error instanceof AddressRefused || status !== undefined
}

/** Node's error for several failed addresses has no message. */
function reason(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reason).join('; ')
  return error instanceof Error ? error.message : String(error)
}
