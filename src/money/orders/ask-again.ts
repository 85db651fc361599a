// The back-off before a counterparty is queried again about a payment, a payout, a return, or a reference that it has
// named. Refunds have a back-off of their own (`nextCallMs`).

const SECOND_MS = 1000
const HOUR_MS = 3_600_000

/**
 * Returns the delay before a counterparty is queried again. The delay doubles each time, up to five minutes. Once the
 * case is older than a day, an operator should check it, and the delay is an hour.
 */
export function nextAskMs(asks: number, ageMs: number): number {
  if (ageMs > 24 * HOUR_MS) return HOUR_MS
  return Math.min(2 ** Math.min(asks, 9), 300) * SECOND_MS
}

const MINUTE_MS = 60_000
/** The times of the first queries about a waiting payment, in minutes after its start. */
const FIRST_QUESTIONS = [1, 3, 8, 23]
const LATER_QUESTIONS_EVERY = 30

/**
 * Returns the age of a waiting payment at which its channel is queried next. The result depends on the age alone, so a
 * visit of the payer's page does not delay the query.
 */
export function nextQuestionMs(ageMs: number): number {
  const first = FIRST_QUESTIONS.find((minutes) => minutes * MINUTE_MS > ageMs)
  if (first !== undefined) return first * MINUTE_MS
  const every = LATER_QUESTIONS_EVERY * MINUTE_MS
  const last = (FIRST_QUESTIONS.at(-1) ?? 0) * MINUTE_MS
  return last + (Math.floor((ageMs - last) / every) + 1) * every
}
