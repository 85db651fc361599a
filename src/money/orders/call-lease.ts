// The back-off before a counterparty is asked again. Every worker that calls one uses it.
import type { Clock } from '../base/clock.ts'

const SECOND_MS = 1000
const HOUR_MS = 3_600_000

/** Short at first, then longer; hourly after a day, when an operator should check. */
export function nextAskMs(asks: number, ageMs: number): number {
  if (ageMs > 24 * HOUR_MS) return HOUR_MS
  return Math.min(2 ** Math.min(asks, 9), 300) * SECOND_MS
}

const MINUTE_MS = 60_000
/** Minutes after the start of a payment. */
const FIRST_QUESTIONS = [1, 3, 8, 23]
const LATER_QUESTIONS_EVERY = 30

/**
 * How old a waiting payment is when its channel is asked next. It depends on the age alone: whatever else is recorded meanwhile, such
 * as a visit of the payer's page, does not put the question off.
 */
export function nextQuestionMs(ageMs: number): number {
  const first = FIRST_QUESTIONS.find((minutes) => minutes * MINUTE_MS > ageMs)
  if (first !== undefined) return first * MINUTE_MS
  const every = LATER_QUESTIONS_EVERY * MINUTE_MS
  const last = (FIRST_QUESTIONS.at(-1) ?? 0) * MINUTE_MS
  return last + (Math.floor((ageMs - last) / every) + 1) * every
}

/** Added to a channel's time-out before a call counts as lost. */
export const CALL_GRACE_MS = 4_000

/** Whether a call that begins now ends before the lease. If not, getting there took too long, and somebody else may call. */
export function isLeased(clock: Clock, { timeoutMs }: Call, until: Date): boolean {
  return clock.now().getTime() + timeoutMs <= until.getTime()
}

/** The last step before a call. False if `renew` says so, or took so long that the lease may end before the call. */
export async function isRenewed(
  clock: Clock,
  call: Call,
  renew: (until: Date) => Promise<boolean>,
): Promise<boolean> {
  const until = new Date(clock.now().getTime() + call.timeoutMs + CALL_GRACE_MS)
  return (await renew(until)) && isLeased(clock, call, until)
}

type Call = { readonly timeoutMs: number }

/**
 * What an answer means now. A failure that was said to an older claim ends nothing: the latest claim may have a call under way,
 * which the counterparty accepts. `asks`: the claim that called; undefined if the counterparty reports by itself.
 */
export function unlessOvertaken<Outcome extends { readonly kind: string }>(
  outcome: Outcome,
  asks: number | undefined,
  latest: number,
): Outcome | { readonly kind: 'unknown'; readonly why: string } {
  const isOvertaken = outcome.kind === 'failed' && asks !== undefined && asks !== latest
  return isOvertaken
    ? { kind: 'unknown', why: 'it failed, but a later claim may have a call under way' }
    : outcome
}
