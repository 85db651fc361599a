// What an outcome writes. Each statement fails when an order or attempt is no longer as the decision saw it.

import { formatRate } from '../base/money.ts'
import type { PayerAction } from '../channels/contract.ts'
import { demand, type Statement, type Tx } from '../postgres/db.ts'
import { bool, given, int4, int8, text, time } from '../postgres/lists.ts'
import { type Dues, insertDues } from './dues.ts'
import type { AttemptState, Charges, OpenOrder, StateNumber } from './order.ts'

/** What an outcome writes to an order and its attempt. */
export type Change = {
  readonly order: OpenOrder
  readonly at: Date
  readonly attemptState: AttemptState
  readonly orderState: StateNumber
  readonly message: string
  readonly channelRef: string | undefined
  readonly action: PayerAction | undefined
  readonly askAt: Date | undefined
  readonly charges: Charges | undefined
  readonly dues: Dues | undefined
  /** What came so far; undefined: as it was. */
  readonly received?: bigint | undefined
  /** The channel that the next attempt is made at. */
  readonly next?: { readonly channel: string; readonly askAt: Date } | undefined
}

export async function writeChanges(tx: Tx, changes: readonly Change[]): Promise<void> {
  await Promise.all(changesOf(changes).map((statement) => tx.query(statement)))
}

export function changesOf(changes: readonly Change[]): Statement[] {
  const passed = changes.filter((change) => change.next !== undefined)
  const told = changes.filter(isTold)
  const due = changes.filter(isDue)
  const count = changes.length
  return [
    { name: 'payments.write', text: writeOrdersText, values: [...orders.values(changes), count] },
    {
      name: 'payments.write-attempts',
      text: writeAttemptsText,
      values: [...attempts.values(changes), count],
    },
    ...(passed.length > 0 ? [{ text: passOnText, values: passedOn.values(passed) }] : []),
    ...(told.length > 0 ? [{ name: 'payments.tell', text: tellText, values: events.values(told) }] : []),
    ...(due.length > 0 ? [insertDues(due)] : []),
  ]
}

/** A change of state has a row in the history. */
function isTold({ order, orderState }: Change): boolean {
  return orderState !== order.state
}

function isDue(change: Change): change is Change & { readonly dues: Dues } {
  return change.dues !== undefined
}

const orderKey = {
  mer_no: int8((one: Change) => one.order.merNo),
  trade_no: text((one: Change) => one.order.tradeNo),
}

const orders = given<Change>({
  ...orderKey,
  version: int4((one) => one.order.version),
  needs_review: bool((one) => one.order.needsReview),
  next_version: int4((one) => one.order.version + (isTold(one) ? 1 : 0)),
  state: int4((one) => one.orderState),
  message: text((one) => one.message),
  decided_at: time((one) => (isTold(one) ? one.at : undefined)),
  received: int8((one) => one.received),
  handling_fee: int8(({ charges }) => charges?.handlingFee),
  processing_fee: int8(({ charges }) => charges?.processingFee),
  margin: int8(({ charges }) => charges?.margin),
  remainder: int8(({ charges }) => charges?.remainder),
  settle_rate: text(({ charges }) => charges?.settleRate && formatRate(charges.settleRate)),
  settle_amount: int8(({ charges }) => charges?.settleAmount),
})

const writeOrdersText = `
  with changed as (
    update orders o set
      state = g.state,
      version = g.next_version,
      message = g.message,
      decided_at = coalesce(g.decided_at, o.decided_at),
      received = coalesce(g.received, o.received),
      handling_fee = coalesce(g.handling_fee, o.handling_fee),
      processing_fee = coalesce(g.processing_fee, o.processing_fee),
      margin = coalesce(g.margin, o.margin),
      margin_held = coalesce(g.margin, o.margin_held),
      settle_rate = coalesce(g.settle_rate::numeric, o.settle_rate),
      settle_amount = coalesce(g.settle_amount, o.settle_amount),
      remainder = coalesce(g.remainder, o.remainder)
    from ${orders.text}
    where o.mer_no = g.mer_no and o.trade_no = g.trade_no and o.version = g.version
      and o.needs_review = g.needs_review
    returning 1
  )
  select ${demand(`count(*) = ${orders.next}`)} from changed`

const attempts = given<Change>({
  ...orderKey,
  attempt_no: int4((one) => one.order.attempt.no),
  before: text((one) => one.order.attempt.state),
  asks: int4((one) => one.order.attempt.asks),
  state: text((one) => one.attemptState),
  message: text((one) => one.message),
  channel_ref: text((one) => one.channelRef),
  action: text(({ action }) => action && JSON.stringify(action)),
  ask_at: time((one) => one.askAt),
  decided_at: time((one) => (one.askAt === undefined ? one.at : undefined)),
})

const writeAttemptsText = `
  with changed as (
    update attempts a set
      state = g.state,
      message = g.message,
      channel_ref = coalesce(g.channel_ref, a.channel_ref),
      action = coalesce(g.action::json, a.action),
      ask_at = g.ask_at,
      decided_at = g.decided_at
    from ${attempts.text}
    where a.mer_no = g.mer_no and a.trade_no = g.trade_no and a.attempt_no = g.attempt_no
      and a.state = g.before and a.asks = g.asks
    returning 1
  )
  select ${demand(`count(*) = ${attempts.next}`)} from changed`

const passedOn = given<Change>({
  ...orderKey,
  attempt_no: int4((one) => one.order.attempt.no),
  channel: text((one) => one.next?.channel),
  at: time((one) => one.at),
  ask_at: time((one) => one.next?.askAt),
})

const passOnText = `
  insert into attempts (
    mer_no, trade_no, attempt_no, channel, state, card_first6, card_last4, card_brand, card_fingerprint,
    details, sealed, created_at, ask_at)
  select
    a.mer_no, a.trade_no, a.attempt_no + 1, g.channel, 'calling',
    a.card_first6, a.card_last4, a.card_brand, a.card_fingerprint, a.details, a.sealed, g.at, g.ask_at
  from ${passedOn.text} join attempts a using (mer_no, trade_no, attempt_no)`

const events = given<Change>({
  ...orderKey,
  version: int4((one) => one.order.version + 1),
  from_state: int4((one) => one.order.state),
  to_state: int4((one) => one.orderState),
  why: text((one) => one.message),
  at: time((one) => one.at),
})

const tellText = `
  insert into order_events (mer_no, trade_no, version, from_state, to_state, why, at)
  select mer_no, trade_no, version, from_state, to_state, why, at from ${events.text}`
