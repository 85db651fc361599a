// Prepares delivery attempts, and derives their results from the responses. If a notification has no stored body, a
// body is created.
import type { KeyObject } from 'node:crypto'
import { memoize } from '../../platform/base/memoize.ts'
import type { Merchant } from '../merchants/merchant.ts'
import type { Claimed } from './claim-sql.ts'
import type { LaneJob } from './lanes.ts'
import { eventRules, isAcknowledged, type NotificationEvent } from './notification.ts'
import { nextDueAt } from './schedule.ts'
import { MOST_ANSWER_BYTES, type SendOutcome } from './send.ts'
import type { AttemptResult } from './sql.ts'
import { bodyFor } from './wire.ts'

export type AttemptJob = LaneJob & {
  readonly claimed: Claimed
  readonly target: URL | undefined
  readonly body: string
  readonly webhookSecret: string
  /** The reason why the notification cannot be sent, or undefined if it can. */
  readonly unsendable: string | undefined
}

export type PrepareDeps = {
  readonly findMerchant: (merNo: number) => Promise<Merchant | undefined>
  readonly platformKey: KeyObject
}

/** Prepares the attempts. Each merchant is found once, because a batch often has many notifications of one merchant. */
export function prepareAttempts(deps: PrepareDeps, claimed: readonly Claimed[]): Promise<AttemptJob[]> {
  const found = new Map<number, Promise<Merchant | undefined>>()
  const findMerchant = (merNo: number) => {
    const merchant = found.get(merNo) ?? deps.findMerchant(merNo)
    found.set(merNo, merchant)
    return merchant
  }
  const { platformKey } = deps
  return Promise.all(claimed.map((one) => prepareAttempt({ findMerchant, platformKey }, one)))
}

/** Prepares an attempt. Never throws: if the notification cannot be sent, the attempt fails. */
async function prepareAttempt(deps: PrepareDeps, claimed: Claimed): Promise<AttemptJob> {
  const target = targetOf(claimed.url)
  try {
    const merchant = await deps.findMerchant(claimed.merNo)
    if (target === undefined) return toJob(claimed, target, unsendable('the address is not a URL'))
    if (merchant === undefined) return toJob(claimed, target, unsendable('its merchant does not exist'))
    const body = claimed.body || (await bodyFor(claimed, merchant, deps.platformKey))
    return toJob(claimed, target, { body, webhookSecret: merchant.webhookSecret, unsendable: undefined })
  } catch (error) {
    const why = error instanceof Error ? error.message : error
    return toJob(claimed, target, unsendable(`it could not be signed: ${why}`))
  }
}

type Prepared = Pick<AttemptJob, 'body' | 'webhookSecret' | 'unsendable'>

function toJob(claimed: Claimed, target: URL | undefined, prepared: Prepared): AttemptJob {
  const { body, webhookSecret, unsendable } = prepared
  return { merNo: claimed.merNo, host: target?.host ?? '', target, claimed, body, webhookSecret, unsendable }
}

// Orders of one merchant mostly have the same address, so parsed addresses are cached.
const targetOf = memoize(1_000, (url) => URL.parse(url) ?? undefined)

function unsendable(reason: string): Prepared {
  return { body: '', webhookSecret: '', unsendable: reason }
}

/** A text with fewer UTF-16 code units always fits a kilobyte: a code unit takes at most three bytes in UTF-8. */
const ALWAYS_FITS = MOST_ANSWER_BYTES / 3

export type Ended = {
  readonly outcome: SendOutcome
  readonly leftAt: Date
  readonly finishedAt: Date
  readonly minuteMs: number
}

export function resultOf(
  { claimed, body }: Pick<AttemptJob, 'claimed' | 'body'>,
  { outcome, leftAt, finishedAt, minuteMs }: Ended,
): AttemptResult {
  const { merNo, notificationId, attemptNo, roundStart } = claimed
  const error = whyNotDelivered(claimed.event, outcome)
  return {
    merNo,
    notificationId,
    attemptNo,
    roundStart,
    leftAt,
    finishedAt,
    status: outcome.status,
    latencyMs: outcome.latencyMs,
    answer: firstKilobyte(outcome.answer),
    error,
    // A body that was created for this attempt is stored only if the attempt failed, because later attempts send the
    // same body.
    body: error === undefined || claimed.body || body === '' ? undefined : body,
    nextDueAt: error === undefined ? undefined : nextDueAt(leftAt, attemptNo - roundStart, minuteMs),
  }
}

/** Returns the reason why the response does not acknowledge the notification, or undefined if it does. */
export function whyNotDelivered(
  event: NotificationEvent,
  { status = 0, answer, error }: SendOutcome,
): string | undefined {
  if (error !== undefined) return error
  if (isAcknowledged(event, status, answer)) return undefined
  if (status >= 300 && status < 400) return `answered ${status}: redirects are not followed`
  if (status < 200 || status >= 300) return `answered ${status}`
  return `answered ${status}, but not ${eventRules[event].acknowledgedBy.join(' or ')}`
}

/** Returns the first kilobyte. Removes a last character that was cut off, and NUL, which PostgreSQL cannot store. */
function firstKilobyte(answer: string): string {
  if (answer.length < ALWAYS_FITS && !/[\0\uFFFD]/.test(answer)) return answer
  const bytes = Buffer.from(answer).subarray(0, MOST_ANSWER_BYTES)
  return bytes
    .toString('utf8')
    .replaceAll('\0', '')
    .replace(/\uFFFD$/, '')
}
