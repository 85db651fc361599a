// One attempt over HTTP: bounded in time and in bytes whatever the other side does. Redirects are not followed, because
// nothing here follows them. Never throws; what went wrong is part of the outcome.
import { AddressRefused } from '../http/client/address-guard.ts'
import type { PostEnd, Posting, PostUnderWay, Seen } from '../http/client/posting.ts'

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
  readonly posting: Posting
  readonly timeoutMs: number
}

/** An acknowledgement is a word: longer answers are none. So much of them is read, to be shown to people. */
export const MOST_ANSWER_BYTES = 1_024

/** A reset that comes later is an answer of a kind, and sending again could outlast the lease. */
const STALE_WITHIN_MS = 1_000

type UnderWay = {
  readonly outgoing: Outgoing
  readonly begunMs: number
  readonly isFirst: boolean
  readonly resolve: (outcome: SendOutcome) => void
  post: PostUnderWay | undefined
}

export function createSender({ posting, timeoutMs }: SenderDeps): Sender {
  /** In the order in which they began, so in the order of their deadlines. */
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

  /** What is left of an answer that takes too long is not waited for. */
  function cut(one: UnderWay, why: string, unreachable: boolean): void {
    finish(one, one.post?.cut() ?? NOTHING_SEEN, why, unreachable)
  }

  function finish(one: UnderWay, seen: Seen, error: string | undefined, unreachable: boolean): void {
    underWay.delete(one)
    const latencyMs = Math.round(performance.now() - one.begunMs)
    one.resolve({ latencyMs, status: seen.status, answer: seen.text, error, unreachable })
  }

  /** One alarm for all: it is set for the oldest, and most are long over when it goes off. */
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

/** A kept connection that the server closed just as we used it. */
function wentNowhere({ isFirst, begunMs }: UnderWay, { stale }: PostEnd): boolean {
  return stale && isFirst && performance.now() - begunMs < STALE_WITHIN_MS
}

/** Whoever answers at all, be it too much, is there. */
function isRefusal(error: Error, { status }: Seen): boolean {
  return error instanceof AddressRefused || status !== undefined
}

/** A connection that was tried at several addresses fails with no message of its own. */
function reason(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reason).join('; ')
  return error instanceof Error ? error.message : String(error)
}
