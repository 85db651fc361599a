// Owns orders, attempt_rows and order_event_rows: writes planned changes with all their effects. Orders are inserted by
// new-order.ts, expanded by compact-sql.ts, and open attempts are claimed by open-attempts.ts. The transaction has locked
// the orders, or has just accepted them.
//
// The changes fail if an order or an attempt has changed since it was read. To keep frequent updates small, an update
// sets only the columns that at least one change of the batch sets. The text of an update is built once for each set of
// columns. Lock order: orders by (mer_no, trade_no), then usage rows.
import { formatRate } from '../../platform/base/money.ts'
import { demand, type Statement, type Tx } from '../../platform/postgres/db.ts'
import {
  bool,
  bytes,
  type Column,
  int4,
  int8,
  listOf,
  type RowList,
  text,
  time,
} from '../../platform/postgres/lists.ts'
import { bookingOf } from '../ledger/post-entries.ts'
import { outboxOf } from '../notifications/enqueue-notifications.ts'
import {
  type AttemptChange,
  type Begun,
  changesState,
  checkChange,
  countedOf,
  decidesCompact,
  duesAfter,
  entriesOf,
  expands,
  givesBackLimits,
  isBegun,
  notificationOf,
  type PlannedChange,
  stepsOf,
  takesLimits,
} from './change.ts'
import { expandOrders } from './compact-sql.ts'
import { totalsOf } from './daily-totals.ts'
import { insertDues } from './dues.ts'
import { giveBack, takeUnbounded, usageOf } from './limit-usage.ts'
import type { ChosenColumns } from './lock-orders.ts'
import type { AttemptedOrder, Choice } from './order.ts'
import { termLists, toColumns } from './term-columns.ts'

/** Writes the changes, at most one per order. */
export async function changeOrders(tx: Tx, changes: readonly PlannedChange[]): Promise<void> {
  await Promise.all(statementsOf(changes).map((statement) => tx.query(statement)))
}

/** Returns the statements that write the changes, in execution order. No statement needs the result of another one. */
export function statementsOf(changes: readonly PlannedChange[], toOutbox = outboxOf): Statement[] {
  if (changes.length === 0) return []
  for (const change of changes) checkChange(change)
  return [
    ...(changes.some(expands) ? [expandOrders(changes.map(expanding))] : []),
    updateOrders(changes),
    ...unlessNone(changes.filter(isTried), updateAttempts),
    ...unlessNone(changes.filter(isBegun), insertNextAttempts),
    ...unlessNone(changes.filter(hasEvent), insertEvents),
    ...unlessNone(changes.flatMap(duesAfter), insertDues),
    ...unlessNone(changes.filter(givesBackLimits), (some) => giveBack(usageOf(some.map(countedOf)))),
    ...unlessNone(changes.filter(takesLimits), (some) => takeUnbounded(usageOf(some.map(countedOf)))),
    ...totalsOf(changes.flatMap(stepsOf)),
    ...bookingOf(changes.flatMap(entriesOf)),
    ...toOutbox(changes.map(notificationOf).filter((one) => one !== undefined)),
  ]
}

const expanding = (change: PlannedChange) => ({ order: change.order, expands: expands(change) })

function unlessNone<One>(all: readonly One[], make: (all: readonly One[]) => Statement): Statement[] {
  return all.length === 0 ? [] : [make(all)]
}

/** The optional parts of a change, as bits. */
const Part = { received: 1, charges: 2, fees: 4, moved: 8, choice: 16, review: 32, compact: 64 } as const

function partsOf(change: PlannedChange): number {
  return (
    (change.received === undefined ? 0 : Part.received) |
    (change.charges === undefined ? 0 : Part.charges) |
    (change.fees === undefined ? 0 : Part.fees) |
    (change.moved === undefined ? 0 : Part.moved) |
    (change.choice === undefined ? 0 : Part.choice) |
    (change.needsReview === undefined ? 0 : Part.review) |
    (decidesCompact(change) ? Part.compact : 0)
  )
}

type OrderColumn = {
  /** The parts that need the column. The column is sent if some change of the batch has one of these parts. */
  readonly parts: number
  /** The new value. An undefined value leaves the column unchanged. */
  readonly list: Column<PlannedChange>
  /** The SQL expression of the column's value. By default the new value, or the old value if the new value is null. */
  readonly set?: string
}

const { received, charges, fees, moved, choice, review, compact } = Part

const chosenTerms = Object.entries(termLists<PlannedChange>((one) => one.choice?.terms))

const columns: Readonly<Record<string, OrderColumn>> = {
  received: { parts: received, list: int8((one) => one.received) },
  handling_fee: { parts: charges | fees, list: int8((one) => (one.charges ?? one.fees)?.handlingFee) },
  processing_fee: { parts: charges | fees, list: int8((one) => (one.charges ?? one.fees)?.processingFee) },
  margin: { parts: charges, list: int8((one) => one.charges?.margin) },
  settle_amount: { parts: charges, list: int8((one) => one.charges?.settleAmount) },
  settle_rate: {
    parts: charges | choice,
    list: text(settleRateOf),
    set: `case g.settle_rate when '' then null else coalesce(g.settle_rate::numeric, o.settle_rate) end`,
  },
  remainder: {
    parts: charges | moved,
    list: int8((one) => one.charges?.remainder ?? one.moved?.position.remainder),
  },
  // At success the full margin is withheld.
  margin_held: {
    parts: charges | moved,
    list: int8((one) => one.charges?.margin ?? one.moved?.position.marginHeld),
  },
  margin_disputed: { parts: moved, list: int8((one) => one.moved?.position.marginDisputed) },
  margin_released_at: {
    parts: moved,
    list: time((one) => (one.moved?.position.marginReleased ? one.at : undefined)),
    set: 'coalesce(o.margin_released_at, g.margin_released_at)',
  },
  settled_at: {
    parts: moved,
    list: time((one) => (one.moved?.position.settled ? one.at : undefined)),
    set: 'coalesce(o.settled_at, g.settled_at)',
  },
  settled_source: { parts: moved, list: int8((one) => one.moved?.position.settledSource) },
  refunded: { parts: moved, list: int8((one) => one.moved?.position.refunded) },
  refunds_open: { parts: moved, list: int4((one) => one.moved?.refundsOpen) },
  charged_back: { parts: moved, list: int8((one) => one.moved?.position.chargedBack) },
  chargeback_state: { parts: moved, list: text((one) => one.moved?.chargeback) },
  exception_fees: { parts: moved, list: int8((one) => one.moved?.position.exceptionFees) },
  method: { parts: choice, list: text((one) => one.choice?.method) },
  platform_limited: { parts: choice, list: bool((one) => one.choice?.platformLimited) },
  ...Object.fromEntries(chosenTerms.map(([name, list]) => [name, { parts: choice, list }])),
  needs_review: { parts: review, list: bool((one) => one.needsReview) },
  attempt_state: {
    parts: compact,
    list: text((one) => (decidesCompact(one) ? one.attempt?.state : undefined)),
  },
  attempt_ref: {
    parts: compact,
    list: text((one) => (decidesCompact(one) ? one.attempt?.channelRef : undefined)),
  },
}

/** Returns the new rate. Undefined keeps the old rate. An empty text removes it, if the chosen terms have no rate. */
function settleRateOf({ charges, choice }: PlannedChange): string | undefined {
  const rate = charges?.settleRate ?? choice?.terms.settleRate
  if (rate !== undefined) return formatRate(rate)
  return choice === undefined ? undefined : ''
}

const orderKey = {
  mer_no: int8((one: PlannedChange) => one.order.merNo),
  trade_no: text((one: PlannedChange) => one.order.tradeNo),
}

// These columns are part of every update. A movement of a paid order's money (`moved`) changes neither the order's
// message nor its time of decision.
const always: Readonly<Record<string, Column<PlannedChange>>> = {
  ...orderKey,
  seen_version: int4((one) => one.order.version),
  seen_review: bool((one) => one.order.needsReview),
  state: int4((one) => one.state),
  message: text((one) => (one.moved === undefined ? one.message : undefined)),
  decided_at: time((one) => (changesState(one) && one.moved === undefined ? one.at : undefined)),
}

// The condition fails if, after the order was read, a sweep has moved the attempt of a compact order to attempt_rows.
const stillCalling = `
        and (g.attempt_state is null or o.attempt_state = 'calling')`

type Update = { readonly name: string; readonly text: string; readonly list: RowList<PlannedChange> }

const updates = new Map<number, Update>()

function updateOrders(changes: readonly PlannedChange[]): Statement {
  let parts = 0
  for (const change of changes) parts |= partsOf(change)
  const { name, text, list } = updates.get(parts) ?? makeUpdate(parts)
  return { name, text, values: [...list.values(changes), changes.length] }
}

function makeUpdate(parts: number): Update {
  const sent = Object.entries(columns).filter(([, one]) => (one.parts & parts) !== 0)
  const list = listOf({ ...always, ...Object.fromEntries(sent.map(([name, one]) => [name, one.list])) })
  const isCompact = (parts & compact) !== 0
  const sets = sent.map(([name, { set = `coalesce(g.${name}, o.${name})` }]) => `${name} = ${set}`)
  const text = `
    with changed as (
      update orders o set
        state = g.state,
        version = case when o.state = g.state then o.version else o.version + 1 end,
        message = coalesce(g.message, o.message),
        decided_at = coalesce(g.decided_at, o.decided_at)${sets.map((set) => `,\n        ${set}`).join('')}
      from ${list.text}
      where o.mer_no = g.mer_no and o.trade_no = g.trade_no and o.version = g.seen_version
        and o.needs_review = g.seen_review${isCompact ? stillCalling : ''}
      returning 1
    )
    select ${demand(`count(*) = ${list.next}`)} from changed`
  const update = { name: `orders.update-${parts}`, text, list }
  updates.set(parts, update)
  return update
}

type Tried = PlannedChange & { readonly order: AttemptedOrder; readonly attempt: AttemptChange }

function isTried(change: PlannedChange): change is Tried {
  return change.attempt !== undefined && change.order.attempt !== undefined && !decidesCompact(change)
}

function updateAttempts(changes: readonly Tried[]): Statement {
  const values = [...attempts.values(changes), changes.length]
  return { name: 'orders.update-attempts', text: updateAttemptsText, values }
}

const attempts = listOf<Tried>({
  ...orderKey,
  attempt_no: int4((one) => one.order.attempt.no),
  seen_state: text((one) => one.order.attempt.state),
  state: text((one) => one.attempt.state),
  message: text((one) => one.message),
  channel_ref: text((one) => one.attempt.channelRef),
  action: text(({ attempt: { action } }) => action && JSON.stringify(action)),
  ask_at: time((one) => one.attempt.askAt),
  decided_at: time((one) => (one.attempt.askAt === undefined ? one.at : undefined)),
})

const updateAttemptsText = `
  with changed as (
    update attempt_rows a set
      state = g.state,
      message = coalesce(g.message, a.message),
      channel_ref = coalesce(g.channel_ref, a.channel_ref),
      action = coalesce(g.action::json, a.action),
      ask_at = g.ask_at,
      decided_at = g.decided_at
    from ${attempts.text}
    where a.mer_no = g.mer_no and a.trade_no = g.trade_no and a.attempt_no = g.attempt_no and a.state = g.seen_state
    returning 1
  )
  select ${demand(`count(*) = ${attempts.next}`)} from changed`

function hasEvent(change: PlannedChange): boolean {
  return changesState(change) && !decidesCompact(change)
}

/** Inserts the history rows: one row for each change of state, except for the change that decides a compact order. */
function insertEvents(changes: readonly PlannedChange[]): Statement {
  return { name: 'orders.insert-events', text: insertEventsText, values: events.values(changes) }
}

const events = listOf<PlannedChange>({
  ...orderKey,
  version: int4((one) => one.order.version + 1),
  from_state: int4((one) => one.order.state),
  to_state: int4((one) => one.state),
  why: text((one) => one.message ?? ''),
  at: time((one) => one.at),
})

const insertEventsText = `
  insert into order_event_rows (mer_no, trade_no, version, from_state, to_state, why, at)
  select mer_no, trade_no, version, from_state, to_state, why, at from ${events.text}`

/**
 * Inserts the attempts that begin after acceptance. An attempt that the payer started has its own card and fields. Any
 * other attempt copies the card and fields of the previous attempt.
 */
function insertNextAttempts(changes: readonly Begun[]): Statement {
  return { name: 'orders.begin-attempts', text: insertNextAttemptsText, values: begun.values(changes) }
}

const begun = listOf<Begun>({
  ...orderKey,
  attempt_no: int4((one) => one.next.no),
  channel: text((one) => one.next.channel),
  created_at: time((one) => one.at),
  ask_at: time((one) => one.next.askAt),
  is_entered: bool((one) => one.next.entered !== undefined),
  card_first6: text((one) => one.next.entered?.card?.first6),
  card_last4: text((one) => one.next.entered?.card?.last4),
  card_brand: text((one) => one.next.entered?.card?.brand),
  card_fingerprint: text((one) => one.next.entered?.card?.fingerprint),
  details: text(({ next: { entered } }) => entered && JSON.stringify(entered.details)),
  sealed: bytes((one) => one.next.entered?.sealed),
  chosen: text(({ choice }) => choice && JSON.stringify(toChosen(choice))),
})

const takenOver = (name: string) => `coalesce(g.${name}, a.${name})`

const insertNextAttemptsText = `
  insert into attempt_rows (
    mer_no, trade_no, attempt_no, channel, state, created_at, ask_at,
    card_first6, card_last4, card_brand, card_fingerprint, details, sealed, chosen)
  select
    g.mer_no, g.trade_no, g.attempt_no, g.channel, 'calling', g.created_at, g.ask_at,
    ${['card_first6', 'card_last4', 'card_brand', 'card_fingerprint'].map(takenOver).join(', ')},
    coalesce(g.details::json, a.details), ${takenOver('sealed')}, coalesce(g.chosen::json, a.chosen)
  from ${begun.text}
  left join attempt_rows a on not g.is_entered
    and a.mer_no = g.mer_no and a.trade_no = g.trade_no and a.attempt_no = g.attempt_no - 1`

function toChosen({ method, terms, platformLimited }: Choice): ChosenColumns {
  return { method, platform_limited: platformLimited, ...toColumns(terms) }
}
