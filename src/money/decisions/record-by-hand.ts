// Records an outcome that an operator decided. The functions that record the reports of channels also record this
// decision, so entries, states and notifications are the same. The lock on the order serialises outcomes: if an outcome
// is already recorded, the decision is refused. A later report of the channel that contradicts the decision raises an
// alarm.
import type { Actor } from '../../platform/audit-log/entry.ts'
import { writeAudit } from '../../platform/audit-log/write-entry.ts'
import { formatMoney, type Money } from '../../platform/base/money.ts'
import { assert, OperatorRefusal } from '../../platform/errors/catalogue.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import type { Outcome } from '../../rails/contract/channel.ts'
import { isMethod, methods } from '../../rails/methods/methods.ts'
import type { Unresolved } from '../order-queries/list-unresolved.ts'
import { lockOrder } from '../orders/lock-orders.ts'
import { type AttemptedOrder, attemptReference, isAttempted, isDecided } from '../orders/order.ts'
import { statedRef } from '../payments/deposits/deposit.ts'
import { sumWaiting } from '../payments/deposits/store-deposits.ts'
import { recordOutcomesIn } from '../payments/record-outcomes.ts'
import { changePayoutsIn } from '../payouts/change-payouts.ts'
import type { Rates } from '../rates/rates.ts'
import { recordRefundsIn } from '../refunds/record-refunds.ts'
import { isDecided as isRefundDecided } from '../refunds/refund.ts'

export type DecidedAs = 'succeeded' | 'failed'

export type HandRecord = {
  readonly outcome: Unresolved
  readonly as: DecidedAs
  /** The amount of the outcome, or the total that the channel has received if the payer sends the money. */
  readonly money: Money
  readonly reason: string
  readonly actor: Actor
  /** The person who asked for the decision, if a second person approved it. */
  readonly askedBy?: Actor | undefined
  readonly at: Date
}

/** The reference that is recorded if the channel or rail gave none. */
const BY_HAND = 'operator'

export async function recordByHand(
  tx: Tx,
  deps: { readonly rates: Pick<Rates, 'find'> },
  decided: HandRecord,
): Promise<void> {
  const { outcome, money, actor, askedBy, reason, at } = decided
  const { before, state } = await recorders[outcome.kind](tx, deps, decided)
  const { channel, refundNo, tradeNo, merNo } = outcome
  const after = {
    state,
    order: tradeNo,
    channel,
    amount: formatMoney(money),
    ...(askedBy && { askedBy: askedBy.name }),
  }
  const subject = refundNo ?? tradeNo
  await writeAudit(tx, {
    merNo,
    at,
    actor,
    action: 'outcome.decide',
    subject,
    before: { state: before },
    after,
    reason,
  })
}

/** Records an outcome and returns the states before and after it. Throws if the outcome was decided meanwhile. */
type Recorder = (
  tx: Tx,
  deps: { readonly rates: Pick<Rates, 'find'> },
  decided: HandRecord,
) => Promise<{ readonly before: string; readonly state: string }>

const recorders: Readonly<Record<Unresolved['kind'], Recorder>> = {
  async payment(tx, deps, decided) {
    const { merNo, tradeNo, attemptNo = 1, method } = decided.outcome
    const key = { merNo, tradeNo, attemptNo }
    const order = await lockOrder(tx, key)
    assert(order !== undefined && isAttempted(order), 'an unknown outcome has its order and attempt')
    if (isDecided(order.attempt.state)) throw alreadyDecided(tradeNo, order.attempt.state)
    const outcome = decided.as === 'failed' ? notPaid(order) : await paid(tx, order, decided)
    const awaitsPayerMinutes = isMethod(method) ? methods[method].awaitsPayerMinutes : 0
    const report = { ...key, at: decided.at, awaitsPayerMinutes, outcome }
    const [recorded] = await recordOutcomesIn(tx, deps, [report])
    assert(recorded?.changed === true, 'the outcome of an open attempt is recorded')
    return { before: order.attempt.state, state: recorded.attemptState }
  },

  async refund(tx, _deps, { outcome, as, at }) {
    const { merNo, tradeNo, refundNo = '', money, channelRef = BY_HAND } = outcome
    const reported =
      as === 'succeeded'
        ? ({ kind: 'succeeded', money, channelRef } as const)
        : ({ kind: 'failed', cause: 'declined', message: 'The refund was not made' } as const)
    const [recorded] = await recordRefundsIn(tx, [{ merNo, tradeNo, refundNo, outcome: reported, at }])
    const before = recorded?.refund.state
    if (before === undefined || isRefundDecided(before)) throw alreadyDecided(refundNo, before)
    return { before, state: as }
  },

  async payout(tx, _deps, { outcome, as, at }) {
    const { merNo, tradeNo, money, channelRef: railRef = BY_HAND } = outcome
    const reported =
      as === 'succeeded'
        ? ({ kind: 'succeeded', money, railRef } as const)
        : ({ kind: 'failed', cause: 'declined', message: 'The payout was not made' } as const)
    const event = { kind: 'outcome', outcome: reported } as const
    const [changed] = await changePayoutsIn(tx, [{ merNo, tradeNo, event, at }])
    if (changed?.applied !== true) throw alreadyDecided(tradeNo, changed?.state)
    return { before: changed.payout.state, state: as }
  },
}

/** Returns the outcome of a failed payment: `cancelled` if the payment was pending, otherwise `declined`. */
function notPaid({ attempt }: AttemptedOrder): Outcome {
  return attempt.state === 'pending'
    ? { kind: 'failed', cause: 'cancelled', message: 'The payment was not made' }
    : { kind: 'failed', cause: 'declined', message: 'The payment was not charged' }
}

/** Returns the outcome of a paid payment. Recorded deposits are subtracted. The order's lock excludes further ones. */
async function paid(tx: Tx, order: AttemptedOrder, { outcome, money, at }: HandRecord): Promise<Outcome> {
  const { merNo, tradeNo, attempt } = order
  // The channel's own reference is kept, because refunds and later requests to the channel need it.
  const channelRef = attempt.channelRef ?? BY_HAND
  if (outcome.received === undefined) return { kind: 'succeeded', money, channelRef }
  const { currency } = money
  const known = await sumWaiting(tx, { merNo, tradeNo, attemptNo: attempt.no }, currency)
  const amount = money.amount - known
  if (amount <= 0n)
    throw new OperatorRefusal(
      `the channel has meanwhile reported ${formatMoney({ amount: known, currency })} for ${tradeNo}: nothing was changed`,
    )
  const depositRef = statedRef(attemptReference(tradeNo, attempt.no), money.amount)
  return { kind: 'received', channelRef, deposits: [{ depositRef, money: { amount, currency }, at }] }
}

function alreadyDecided(id: string, state = 'gone'): OperatorRefusal {
  return new OperatorRefusal(`${id} is ${state} already: nothing was changed`)
}
