// Records an outcome that an operator decided, by the same step that records what a channel reports: books, states and
// notifications are the same. The order's lock makes it exclusive: after the resolver it is refused, and a channel that
// reports later repeats the decision or raises an alarm.
import type { Actor } from '../audit-log/entry.ts'
import { writeAudit } from '../audit-log/write-entry.ts'
import { formatAmount } from '../base/money.ts'
import { OperatorRefusal } from '../errors/catalogue.ts'
import type { Unresolved } from '../order-queries/list-unresolved.ts'
import { recordOutcomesIn } from '../payments/record-outcomes.ts'
import { changePayoutsIn } from '../payouts/change-payouts.ts'
import type { Tx } from '../postgres/db.ts'
import type { Rates } from '../rates/rates.ts'
import { recordRefundsIn } from '../refunds/record-refunds.ts'
import { isDecided } from '../refunds/refund.ts'

export type DecidedAs = 'succeeded' | 'failed'

export type HandRecord = {
  readonly outcome: Unresolved
  readonly as: DecidedAs
  readonly reason: string
  readonly actor: Actor
  /** Who asked for it, if a second person approved it. */
  readonly askedBy?: Actor | undefined
  readonly at: Date
}

/** The reference of an outcome that no channel gave. */
const BY_HAND = 'operator'

export async function recordByHand(
  tx: Tx,
  deps: { readonly rates: Pick<Rates, 'find'> },
  decided: HandRecord,
): Promise<void> {
  const { outcome, as, actor, askedBy, reason, at } = decided
  const before = await recorders[outcome.kind](tx, deps, decided)
  const { money, channel, refundNo, tradeNo, merNo } = outcome
  const after = {
    state: as,
    order: tradeNo,
    channel,
    amount: `${formatAmount(money.amount, money.currency)} ${money.currency}`,
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

/** Each returns the state before, and refuses if it was decided meanwhile. */
type Recorder = (
  tx: Tx,
  deps: { readonly rates: Pick<Rates, 'find'> },
  decided: HandRecord,
) => Promise<string>

const recorders: Readonly<Record<Unresolved['kind'], Recorder>> = {
  async payment(tx, deps, { outcome, as, at }) {
    const { merNo, tradeNo, attemptNo = 1, money } = outcome
    const report = { merNo, tradeNo, attemptNo, at, awaitsPayerMinutes: 0 }
    const reported =
      as === 'succeeded'
        ? ({ kind: 'succeeded', money, channelRef: BY_HAND } as const)
        : ({ kind: 'failed', cause: 'declined', message: 'The payment was not charged' } as const)
    const [recorded] = await recordOutcomesIn(tx, deps, [{ ...report, outcome: reported }])
    if (recorded?.changed !== true) throw alreadyDecided(tradeNo, recorded?.attemptState)
    return recorded.order.attempt.state
  },

  async refund(tx, _deps, { outcome, as, at }) {
    const { merNo, tradeNo, refundNo = '', money } = outcome
    const reported =
      as === 'succeeded'
        ? ({ kind: 'succeeded', money, channelRef: BY_HAND } as const)
        : ({ kind: 'failed', cause: 'declined', message: 'The refund was not made' } as const)
    const [recorded] = await recordRefundsIn(tx, [{ merNo, tradeNo, refundNo, outcome: reported, at }])
    const before = recorded?.refund.state
    if (before === undefined || isDecided(before)) throw alreadyDecided(refundNo, before)
    return before
  },

  async payout(tx, _deps, { outcome, as, at }) {
    const { merNo, tradeNo, money } = outcome
    const reported =
      as === 'succeeded'
        ? ({ kind: 'succeeded', money, railRef: BY_HAND } as const)
        : ({ kind: 'failed', cause: 'declined', message: 'The payout was not made' } as const)
    const event = { kind: 'outcome', outcome: reported } as const
    const [changed] = await changePayoutsIn(tx, [{ merNo, tradeNo, event, at }])
    if (changed?.applied !== true) throw alreadyDecided(tradeNo, changed?.state)
    return changed.payout.state
  },
}

function alreadyDecided(id: string, state = 'gone'): OperatorRefusal {
  return new OperatorRefusal(`${id} is ${state} already: nothing was changed`)
}
