// Reconstructs a payment as it was at an earlier moment, from its history, its attempts and its deposits.
//
// States, messages of decided orders, fees and settlement are exact. The history has no rows for the message of an open
// order and for the amount received so far. These two fields are derived from the order's attempts and deposits, and
// `uncertain` lists them if they may be wrong.

import type { Queryable } from '../../platform/postgres/db.ts'
import {
  type AttemptState,
  isDecided,
  isInReview,
  isOpen,
  type OrderKey,
  State,
  type StateNumber,
  wasPaid,
} from '../orders/order.ts'
import { type FoundDeposit, listDeposits } from './list-deposits.ts'
import { type Answered, salesAnswer, transferAnswer } from './sales-answer.ts'

export type OrderAt = Answered & {
  readonly method: string
  readonly attempts: number
  readonly attempt: AttemptAt
  /** The response that `/order/query` would have given about the payment, without the fields about a chargeback. */
  readonly answer: Readonly<Record<string, unknown>>
  readonly uncertain: readonly ('message' | 'receiveAmount')[]
}

/** The attempt that had taken the money, or else the latest attempt. All fields are null if there was no attempt. */
type AttemptAt = {
  readonly attemptNo: number | null
  readonly attemptState: AttemptState | null
  /** The kind of the payer's next step. */
  readonly actionKind: string | null
}

type OrderRow = {
  readonly mer_order_no: string
  readonly method: string
  readonly currency: string
  readonly amount: bigint
  readonly received: bigint | null
  readonly handling_fee: bigint | null
  readonly processing_fee: bigint | null
  readonly created_at: Date
  readonly settled_at: Date | null
}

type EventRow = { readonly from_state: StateNumber; readonly to_state: StateNumber; readonly why: string }

type AttemptRow = {
  readonly attempt_no: number
  readonly state: AttemptState
  readonly message: string
  readonly action_kind: string | null
  readonly decided_at: Date | null
}

export async function orderAt(db: Queryable, key: OrderKey, moment: Date): Promise<OrderAt | undefined> {
  const [order] = await db.query<OrderRow>({
    text: `select mer_order_no, method, currency, amount, received, handling_fee, processing_fee, created_at, settled_at
      from orders where mer_no = $1 and trade_no = $2 and kind = 'payment' and created_at <= $3`,
    values: [key.merNo, key.tradeNo, moment],
  })
  if (order === undefined) return undefined
  const [events, attempts, deposits] = await Promise.all([
    selectEventsUntil(db, key, moment),
    selectAttemptsUntil(db, key, moment),
    listDeposits(db, key),
  ])
  return replay(key, order, {
    events,
    attempts,
    deposits: deposits.filter(({ at }) => at <= moment),
    moment,
  })
}

function selectEventsUntil(db: Queryable, { merNo, tradeNo }: OrderKey, moment: Date): Promise<EventRow[]> {
  return db.query<EventRow>({
    text: `select from_state, to_state, why from order_events
      where mer_no = $1 and trade_no = $2 and at <= $3 order by version limit 500`,
    values: [merNo, tradeNo, moment],
  })
}

function selectAttemptsUntil(
  db: Queryable,
  { merNo, tradeNo }: OrderKey,
  moment: Date,
): Promise<AttemptRow[]> {
  return db.query<AttemptRow>({
    text: `select attempt_no, state, message, action ->> 'kind' as action_kind, decided_at from attempts
      where mer_no = $1 and trade_no = $2 and created_at <= $3 order by attempt_no limit 100`,
    values: [merNo, tradeNo, moment],
  })
}

type Past = {
  readonly events: readonly EventRow[]
  readonly attempts: readonly AttemptRow[]
  readonly deposits: readonly FoundDeposit[]
  readonly moment: Date
}

function replay({ merNo, tradeNo }: OrderKey, order: OrderRow, past: Past): OrderAt {
  const { events, attempts, deposits, moment } = past
  const state = events.at(-1)?.to_state ?? State.processing
  const isPaid = wasPaid(state)
  const isWaiting = state === State.processing
  const answered: Answered = {
    merNo,
    tradeNo,
    merOrderNo: order.mer_order_no,
    money: { amount: order.amount, currency: order.currency },
    state,
    message: isWaiting ? waitingMessage(past) : decidedMessage(events),
    settled: order.settled_at !== null && order.settled_at <= moment,
    handlingFee: isPaid ? (order.handling_fee ?? 0n) : 0n,
    processingFee: isPaid ? (order.processing_fee ?? 0n) : 0n,
    received: receivedAt(state, order, past),
  }
  const last = attempts.find((one) => wasDecided(one, moment) && one.state === 'succeeded') ?? attempts.at(-1)
  const onChain = order.method === 'crypto' ? transferAnswer(deposits, last?.attempt_no) : {}
  return {
    ...answered,
    method: order.method,
    attempts: attempts.length,
    attempt: attemptAt(last, moment),
    answer: { ...salesAnswer(answered), ...onChain },
    uncertain: [
      ...(isWaiting && attempts.length > 0 ? (['message'] as const) : []),
      ...(isWaiting && deposits.length > 0 ? (['receiveAmount'] as const) : []),
    ],
  }
}

/**
 * Returns the message of a decided order. Later events of a paid order, such as a refund, have their own text in the
 * history and do not change the order's message.
 */
function decidedMessage(events: readonly EventRow[]): string {
  return events.findLast(({ from_state: from }) => !wasPaid(from))?.why ?? ''
}

function wasDecided({ decided_at: decidedAt }: AttemptRow, moment: Date): boolean {
  return decidedAt !== null && decidedAt <= moment
}

/**
 * Returns an attempt as it was at `moment`. An attempt that was decided later was `pending` if the payer had a next
 * step, and otherwise `calling`.
 */
function attemptAt(last: AttemptRow | undefined, moment: Date): AttemptAt {
  if (last === undefined) return { attemptNo: null, attemptState: null, actionKind: null }
  const { attempt_no: attemptNo, state, action_kind: actionKind } = last
  const isLater = isDecided(state) && !wasDecided(last, moment)
  const waited = actionKind === null ? 'calling' : 'pending'
  return { attemptNo, attemptState: isLater ? waited : state, actionKind }
}

/** Returns the message of an open order's latest attempt, or a guess if this attempt was decided after `moment`. */
function waitingMessage({ attempts, moment }: Past): string {
  const last = attempts.at(-1)
  if (last === undefined) return ''
  if (wasDecided(last, moment)) return last.message
  return last.decided_at === null ? last.message : 'Waiting for the payer'
}

function receivedAt(state: StateNumber, order: OrderRow, { attempts, deposits }: Past): bigint | undefined {
  if (wasPaid(state)) return order.received ?? order.amount
  if (isInReview(state)) return order.received || order.amount
  if (!isOpen(state)) return undefined
  const current = attempts.at(-1)?.attempt_no
  const own = deposits.filter(({ attemptNo }) => attemptNo === current)
  return own.length === 0 ? undefined : own.reduce((sum, { money }) => sum + money.amount, 0n)
}
