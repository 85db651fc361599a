// Records the outcome of a return. If the money was returned, the order fails. If the channel declined, the operator decides
// again. For any other outcome the channel is asked again under the same reference.
//
// Invariant: the money leaves the review account once. An outcome of a return that is already recorded or given up changes
// neither the order nor its review; money that came back after the order failed is held in suspense, once.
// Lock order: the order, then its review, then suspense, then what channels are asked about.

import type { Clock } from '../base/clock.ts'
import { formatAmount } from '../base/money.ts'
import type { Alarms } from '../channels/alarms.ts'
import { askAbout } from '../channels/asks.ts'
import type { RefundOutcome } from '../channels/contract.ts'
import { inTheirWords } from '../channels/in-their-words.ts'
import { assert } from '../errors/catalogue.ts'
import { nextAskMs, unlessOvertaken } from '../orders/ask-again.ts'
import type { AttemptedOrder } from '../orders/order.ts'
import type { Db, Tx } from '../postgres/db.ts'
import { bookSuspense, findSuspense } from '../suspense/book-suspense.ts'
import type { Suspense } from '../suspense/suspense.ts'
import {
  decideReturn,
  judgeLate,
  type ReturnKey,
  type Review,
  type ReviewState,
  returnReference,
  stateOfOrder,
} from './review.ts'
import { lockReturned, rejectReviewed } from './review-orders.ts'
import { lockReview, saveReview } from './sql.ts'

export type ReturnReport = ReturnKey & {
  readonly outcome: RefundOutcome
  readonly at: Date
  /**
   * The claim that made the call. Another call may have ended the return meanwhile, so nobody reports this one again, not even
   * after a crash: of money that came back the channel is asked once more.
   */
  readonly asks?: number
}

export type ReportReturnDeps = {
  readonly db: Db
  readonly clock: Clock
  /** Called when an operator must check something. */
  readonly alarm: (tradeNo: string, what: string) => void
  readonly alarmsOf: (channel: string) => Alarms
}

/** Records it and raises its alarm. */
export async function reportReturn(
  { db, clock, alarm: raise, alarmsOf }: ReportReturnDeps,
  report: Omit<ReturnReport, 'at'>,
): Promise<ReviewState> {
  const { tradeNo, returns } = report
  const { state, channel, alarm, cameBack } = await recordReturn(db, { ...report, at: clock.now() })
  const key = `return ${returnReference(tradeNo, returns)} came back`
  if (alarm !== undefined && cameBack) await alarmsOf(channel).raise(key, { reference: tradeNo, what: alarm })
  else if (alarm !== undefined) raise(tradeNo, alarm)
  return state
}

export type RecordedReturn = {
  readonly state: ReviewState
  readonly channel: string
  readonly alarm?: string
  /** Money that came back: every report of it has the alarm until somebody has dealt with the money, so that none is lost. */
  readonly cameBack?: true
}

export function recordReturn(db: Db, report: ReturnReport): Promise<RecordedReturn> {
  return db.transaction(async (tx) => {
    const order = await lockReturned(tx, report)
    assert(order !== undefined, 'a returned order was paid')
    const review = await lockReview(tx, order)
    const isUnderWay = review.state === 'returning' && review.returns === report.returns
    return isUnderWay ? record(tx, order, review, report) : recordLate(tx, order, review, report)
  })
}

async function record(
  tx: Tx,
  order: AttemptedOrder,
  review: Review,
  report: ReturnReport,
): Promise<RecordedReturn> {
  const { kind, alarm } = decideReturn(order.money, unlessOvertaken(report.outcome, report.asks, review.asks))
  const after = steps[kind](order, review, report)
  if (kind === 'returned') await rejectReviewed(tx, order, review.note, report.at)
  await saveReview(tx, after)
  return { state: after.state, channel: order.attempt.channel, ...(alarm !== undefined && { alarm }) }
}

async function recordLate(
  tx: Tx,
  order: AttemptedOrder,
  review: Review,
  report: ReturnReport,
): Promise<RecordedReturn> {
  const unchanged = { state: review.state, channel: order.attempt.channel }
  const late = judgeLate(review, report.returns, report.outcome)
  if (late === 'nothing new') return unchanged
  const says = whatChannelSays(order, report)
  if (late !== 'came back') return { ...unchanged, alarm: `${checks[late]}; no money was moved. ${says}` }
  const held = await hold(tx, order, report)
  return held === undefined
    ? unchanged
    : { ...unchanged, alarm: `${cameBack(held)}. ${says}`, cameBack: true }
}

const checks = {
  contradicts: 'the opposite is recorded of a return of a rejected payment: compare with the channel',
  'not made': 'a return that was not made: compare with the channel',
}

function cameBack({ suspenseId }: Suspense): string {
  const first = `the money of a rejected payment came back and is held as ${suspenseId}`
  return `${first}; pay it to the payer in another way, then book it with suspense return`
}

function whatChannelSays(
  { tradeNo, money, attempt: { channel } }: AttemptedOrder,
  { returns, outcome }: ReturnReport,
): string {
  const sum = `${formatAmount(money.amount, money.currency)} ${money.currency}`
  return `channel ${channel} says of return ${returnReference(tradeNo, returns)} of ${sum}: ${inTheirWords(outcome)}`
}

/**
 * Undefined when somebody has dealt with it already. The row has no attempt: the channel's statements list no second payment, so they must not
 * be compared with one. Its reference names the order.
 */
async function hold(
  tx: Tx,
  { merNo, tradeNo, money, attempt: { channel } }: AttemptedOrder,
  { returns, at, asks }: ReturnReport,
): Promise<Suspense | undefined> {
  const reference = returnReference(tradeNo, returns)
  const about = { origin: 'channel', why: 'unmatched' } as const
  const [booked] = await bookSuspense(tx, [{ merNo, channel, reference, money, at, ...about }])
  if (booked !== undefined && asks !== undefined) await askAbout(tx, channel, reference, at)
  const held = booked ?? (await findSuspense(tx, channel, [{ merNo, reference }]))[0]
  return held?.state === 'held' ? held : undefined
}

type Step = (order: AttemptedOrder, review: Review, report: ReturnReport) => Review

const steps = {
  returned: (_order, review) => ({ ...review, state: 'rejected', askAt: undefined }),
  declined: (order, review, { outcome }) => ({
    ...review,
    state: stateOfOrder(order.state),
    note: `The channel did not return the money: ${'message' in outcome ? outcome.message : ''}`,
    decidedAt: undefined,
    askAt: undefined,
  }),
  // A claim since then has its own lease.
  waiting: (_order, review, { at, asks }) =>
    asks === review.asks ? { ...review, askAt: nextAsk(review, at) } : review,
} as const satisfies Record<string, Step>

function nextAsk({ asks, decidedAt = new Date(0) }: Review, at: Date): Date {
  return new Date(at.getTime() + nextAskMs(asks, at.getTime() - decidedAt.getTime()))
}
