// Records the outcome of a return, by which a channel sends the money of a rejected payment back to the payer. If the
// money was returned, the order fails. If the channel declined, the operator decides again. After any other outcome the
// channel is asked again under the same reference.
//
// Invariant: the money leaves the review account once. After a return is decided or given up, further reports change
// neither the order nor its review. Money that comes back after the order failed is held in suspense, once. If money
// comes back in another amount or currency, the order fails and the amount that arrived is held in suspense.
//
// Lock order: the order, then its review, then suspense, then the queue of references that channels are asked about.

import type { Clock } from '../../platform/base/clock.ts'
import { formatMoney, isSameMoney, type Money } from '../../platform/base/money.ts'
import { assert } from '../../platform/errors/catalogue.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import type { RefundOutcome } from '../../rails/contract/channel.ts'
import { inTheirWords } from '../../rails/contract/counterparty-texts.ts'
import type { Alarms } from '../../rails/toolkit/alarms.ts'
import { askAbout } from '../../rails/toolkit/records/store.ts'
import { nextAskMs } from '../orders/ask-again.ts'
import { unlessOvertaken } from '../orders/call-lease.ts'
import type { AttemptedOrder } from '../orders/order.ts'
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
   * The number of the claim that made the call. Undefined if the channel sent the report on its own. A response arrives
   * only once, so a crash could lose its alarm. Therefore, if a response reports that money came back, a further query
   * is queued, whose response raises the alarm again.
   */
  readonly asks?: number
}

export type ReportReturnDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly alarm: (tradeNo: string, what: string) => void
  readonly alarmsOf: (channel: string) => Alarms
}

/** Records the outcome, and raises an alarm if an operator must check something. */
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
  /** Set if the money came back and is still in suspense. Each further report then raises the alarm again. */
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
  if (after.state === 'rejected') await rejectReviewed(tx, order, review.note, report.at)
  await saveReview(tx, after)
  if (kind === 'came back') return recordBack(tx, order, after, report)
  return { state: after.state, channel: order.attempt.channel, ...(alarm !== undefined && { alarm }) }
}

async function recordLate(
  tx: Tx,
  order: AttemptedOrder,
  review: Review,
  report: ReturnReport,
): Promise<RecordedReturn> {
  const unchanged = { state: review.state, channel: order.attempt.channel }
  const late = judgeLate(review, report.returns, order.money, report.outcome)
  if (late === 'nothing new') return unchanged
  if (late === 'came back') return recordBack(tx, order, review, report)
  return { ...unchanged, alarm: `${checks[late]}; no money was moved. ${whatChannelSays(order, report)}` }
}

async function recordBack(
  tx: Tx,
  order: AttemptedOrder,
  { state }: Review,
  report: ReturnReport,
): Promise<RecordedReturn> {
  const recorded = { state, channel: order.attempt.channel }
  const held = await hold(tx, order, report)
  const stated = report.outcome.kind === 'returned' ? report.outcome.money : undefined
  if (stated !== undefined && !isSameMoney(stated, held.money)) {
    const before = `came back before as ${formatMoney(held.money)}; the channel now reports ${formatMoney(stated)}`
    return { ...recorded, alarm: `the money of a rejected payment ${before}: nothing more was booked` }
  }
  if (held.state !== 'held') return recorded
  const alarm = `${cameBack(held, order.money)}. ${whatChannelSays(order, report)}`
  return { ...recorded, alarm, cameBack: true }
}

const checks = {
  contradicts: 'the opposite is recorded of a return of a rejected payment: compare with the channel',
  'not made': 'a return that was not made: compare with the channel',
}

function cameBack({ suspenseId, money }: Suspense, sent: Money): string {
  const asWhat = isSameMoney(money, sent) ? '' : ` as ${formatMoney(money)}`
  const first = `the money of a rejected payment came back${asWhat} and is held as ${suspenseId}`
  return `${first}; pay it to the payer in another way, then book it with suspense return`
}

function whatChannelSays(
  { tradeNo, money, attempt: { channel } }: AttemptedOrder,
  { returns, outcome }: ReturnReport,
): string {
  return `channel ${channel} says of return ${returnReference(tradeNo, returns)} of ${formatMoney(money)}: ${inTheirWords(outcome)}`
}

/**
 * Books the money to suspense, once, and returns its row. An operator may already have decided on the row. The row's
 * reference names the return. The row has no attempt, because the channel's statements list no second payment that
 * could be compared with the row.
 */
async function hold(
  tx: Tx,
  { merNo, tradeNo, money: sent, attempt: { channel } }: AttemptedOrder,
  { returns, at, asks, outcome }: ReturnReport,
): Promise<Suspense> {
  const money = (outcome.kind === 'returned' ? outcome.money : undefined) ?? sent
  const reference = returnReference(tradeNo, returns)
  const about = { origin: 'channel', why: 'unmatched' } as const
  const [booked] = await bookSuspense(tx, [{ merNo, channel, reference, money, at, ...about }])
  if (booked !== undefined && asks !== undefined) await askAbout(tx, channel, reference, at)
  const reported = await findSuspense(tx, channel, [{ merNo, reference }])
  const held = booked ?? reported.find(({ origin }) => origin === 'channel')
  assert(held !== undefined, 'money that was booked before has its row')
  return held
}

type Step = (order: AttemptedOrder, review: Review, report: ReturnReport) => Review

const steps = {
  returned: toRejected,
  'came back': toRejected,
  declined: (order, review, { outcome }) => ({
    ...review,
    state: stateOfOrder(order.state),
    note: `The channel did not return the money: ${'message' in outcome ? outcome.message : ''}`,
    decidedAt: undefined,
    askAt: undefined,
  }),
  // A report of an earlier claim does not change the time of the next call, because the later claim has its own lease.
  waiting: (_order, review, { at, asks }) =>
    asks === review.asks ? { ...review, askAt: nextAsk(review, at) } : review,
} as const satisfies Record<string, Step>

function toRejected(_order: AttemptedOrder, review: Review): Review {
  return { ...review, state: 'rejected', askAt: undefined }
}

function nextAsk({ asks, decidedAt = new Date(0) }: Review, at: Date): Date {
  return new Date(at.getTime() + nextAskMs(asks, at.getTime() - decidedAt.getTime()))
}
