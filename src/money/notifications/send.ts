// Sends one attempt over HTTP. The time and the size of the response are bounded, whatever the server does. Redirects
// are not followed. The sender never throws: an error is part of the outcome.
import {
  AddressRefused,
  createAddressGuard,
  type MayReach,
  openReach,
  type ReachOptions,
} from '../../platform/http/client/address-guard.ts'
import { causeOf } from '../../platform/http/client/connection-faults.ts'
import {
  openPosting,
  type PostEnd,
  type Posting,
  type PostUnderWay,
  type Seen,
} from '../../platform/http/client/posting.ts'
import { TIMEOUT_MS } from './schedule.ts'

type Outgoing = {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type SendOutcome = {
  readonly latencyMs: number
  readonly status: number | undefined
  readonly answer: string
  /** The reason of the failure, or undefined if the response is complete. */
  readonly error: string | undefined
  /** True if the host was not reachable or did not respond in time. Such a failure occupies a slot for a long time. */
  readonly unreachable: boolean
}

export type Sender = {
  send(outgoing: Outgoing): Promise<SendOutcome>
  close(): void
}

type SenderDeps = {
  readonly posting: Posting
  readonly timeoutMs: number
}

/** The maximum number of bytes that are read of a response. An acknowledgement is only one short word. */
export const MOST_ANSWER_BYTES = 1_024

/** A request is repeated after a connection reset only within this time. A later repetition could outlast the lease. */
const STALE_WITHIN_MS = 1_000

type UnderWay = {
  readonly outgoing: Outgoing
  readonly begunMs: number
  readonly isFirst: boolean
  readonly resolve: (outcome: SendOutcome) => void
  post: PostUnderWay | undefined
}

export function createSender({ posting, timeoutMs }: SenderDeps): Sender {
  /** The attempts in order of their start, which is also the order of their deadlines. */
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

  function cut(one: UnderWay, why: string, unreachable: boolean): void {
    finish(one, one.post?.cut() ?? NOTHING_SEEN, why, unreachable)
  }

  function finish(one: UnderWay, seen: Seen, error: string | undefined, unreachable: boolean): void {
    underWay.delete(one)
    const latencyMs = Math.round(performance.now() - one.begunMs)
    one.resolve({ latencyMs, status: seen.status, answer: seen.text, error, unreachable })
  }

  /** Ends late attempts. One timer for the oldest attempt is enough: most attempts end before the timer fires. */
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

/**
 * True if the request may be sent again, because the server closed a keep-alive connection just as we used the
 * connection. An attempt repeats its request at most once.
 */
function wentNowhere({ isFirst, begunMs }: UnderWay, { stale }: PostEnd): boolean {
  return stale && isFirst && performance.now() - begunMs < STALE_WITHIN_MS
}

/** True if the address was refused or the host responded. A failure of this kind does not count as unreachable. */
function isRefusal(error: Error, { status }: Seen): boolean {
  return error instanceof AddressRefused || status !== undefined
}

/**
 * Returns the message of an error, with its cause in words first if the cause is known. For several failed addresses,
 * Node's error has no message of its own, so the messages of all addresses are joined.
 */
function reason(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reason).join('; ')
  if (!(error instanceof Error)) return String(error)
  const cause = causeOf(error)
  return cause === undefined ? error.message : `${cause}: ${error.message}`
}

// Creates the sender that delivers notifications, with the address rules of the settings.

type SenderSettings = {
  readonly isLocal: boolean
  readonly notifyPorts: readonly number[] | 'any'
  readonly notifyAllow: readonly string[]
}

/** The settings by which a delivery in the merchant's integration exam differs from a usual delivery. */
export type Pace = {
  readonly timeoutMs?: number
  readonly pauseMs?: number
}

export function openSender(settings: SenderSettings, { timeoutMs = TIMEOUT_MS, pauseMs }: Pace = {}): Sender {
  const guard = createAddressGuard({ ...reachOf(settings), ports: settings.notifyPorts })
  return createSender({ posting: openPosting(guard, { pauseMs }), timeoutMs })
}

/** Returns a check by the sender's address rules. Use it before anything is sent to an address. */
export function openMayNotify(settings: Pick<SenderSettings, 'isLocal' | 'notifyAllow'>): MayReach {
  return openReach(reachOf(settings))
}

function reachOf({ isLocal, notifyAllow }: Pick<SenderSettings, 'isLocal' | 'notifyAllow'>): ReachOptions {
  return { loopbackAllowed: isLocal, allow: notifyAllow }
}
