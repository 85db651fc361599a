// Records the decision of an operator on an outcome that is unknown, or whose channel is late (list-unresolved.ts):
// charged or not, sent or not. Above the limit of second-person.ts, a second person must approve the decision.
//
// A payment, a refund or a payout moves in full or not at all. The exception is a payment that the payer sends, or of
// which a part has arrived: the operator states the total that the channel has received. The part of the total that no
// deposit has yet is recorded as a deposit. If the total is less than the order's amount, the order waits for the rest.
// If the order then fails, the received part goes to suspense.
import type { Actor } from '../../platform/audit-log/entry.ts'
import type { Clock } from '../../platform/base/clock.ts'
import { merNoOf } from '../../platform/base/id.ts'
import { formatAmount, type Money, parseDecimal } from '../../platform/base/money.ts'
import { OperatorRefusal } from '../../platform/errors/catalogue.ts'
import type { Db, Queryable } from '../../platform/postgres/db.ts'
import { askApproval } from '../approvals/ask-approval.ts'
import type { Carrying } from '../approvals/decide-approval.ts'
import { needsSecondPerson, type SecondPersonDeps } from '../approvals/second-person.ts'
import { idOf, listUnresolved, type Unresolved } from '../order-queries/list-unresolved.ts'
import type { Rates } from '../rates/rates.ts'
import { type DecidedAs, recordByHand } from './record-by-hand.ts'

export type DecisionDeps = SecondPersonDeps & {
  readonly db: Db
  readonly clock: Clock
  readonly rates: Rates
}

type OutcomeDecision = OutcomeKey & {
  readonly as: DecidedAs
  /** The total that the channel has received, such as 12.50. Required to record money that the payer sends. */
  readonly amount?: string | undefined
  readonly reason: string
  readonly actor: Actor
}

type OutcomeDecided = {
  readonly outcome: Unresolved
  /** The approval that the decision waits for. Undefined if the decision was recorded. */
  readonly approvalId: string | undefined
  /** True if `money` is less than the order's amount, so that the order waits for the rest. */
  readonly isPart: boolean
  readonly money: Money
}

export async function decideOutcome(deps: DecisionDeps, wanted: OutcomeDecision): Promise<OutcomeDecided> {
  const { as, reason, actor } = wanted
  const at = deps.clock.now()
  const outcome = await findOutcome(deps, wanted)
  const { merNo, tradeNo, refundNo, attemptNo } = outcome
  const money = movedMoney(outcome, wanted)
  const decided = { outcome, isPart: money.amount < outcome.money.amount, money }
  return deps.db.transaction(async (tx) => {
    if (!(await needsSecondPerson(tx, deps, { merNo, money, actor, at }))) {
      await recordByHand(tx, deps, { outcome, as, money, reason, actor, at })
      return { ...decided, approvalId: undefined }
    }
    const action = {
      tradeNo,
      as,
      of: outcome.kind,
      amount: formatAmount(money.amount, money.currency),
      ...(refundNo !== undefined && { refundNo }),
      ...(attemptNo !== undefined && { attemptNo: String(attemptNo) }),
    }
    const asked = { merNo, kind: 'outcome', subject: idOf(outcome) } as const
    const { approvalId } = await askApproval(tx, { ...asked, action, money, reason, actor, at })
    return { ...decided, approvalId }
  })
}

/**
 * Returns the handler that records an approved outcome. The approval is refused if the channel has meanwhile reported
 * the outcome, or if the order has a later attempt, because the approval was requested for the earlier attempt.
 */
export function outcomeCarrying(deps: DecisionDeps): Carrying {
  return {
    async approved(tx, { action, reason, askedBy }, { actor, at }) {
      const { tradeNo = '', refundNo, attemptNo, amount } = action
      const outcome = await findOutcome({ db: tx, clock: deps.clock }, { tradeNo, refundNo })
      if (attemptNo !== undefined && attemptNo !== String(outcome.attemptNo))
        throw new OperatorRefusal(`attempt ${attemptNo} of ${tradeNo} is decided: reject this approval`)
      const as = action.as === 'succeeded' ? 'succeeded' : 'failed'
      const money = movedMoney(outcome, { as, amount })
      await recordByHand(tx, deps, { outcome, as, money, reason, actor, askedBy, at })
    },
  }
}

/** Returns the money that the decision is about. Throws for an amount that the channel cannot have received. */
function movedMoney(
  { kind, money, received }: Unresolved,
  { as, amount }: Pick<OutcomeDecision, 'as' | 'amount'>,
): Money {
  const { currency } = money
  if (kind !== 'payment' || as === 'failed') return money
  const stated = amount === undefined ? undefined : readAmount(amount, currency)
  const inFull = formatAmount(money.amount, currency)
  if (received === undefined) {
    if (stated !== undefined && stated !== money.amount)
      throw new OperatorRefusal(`the payment moves in full or not at all: its amount is ${inFull}`, 'amount')
    return money
  }
  const total = stated ?? received.amount
  if (total > received.amount) return { amount: total, currency }
  const recorded = formatAmount(received.amount, currency)
  throw new OperatorRefusal(
    `${recorded} of ${inFull} is recorded as received: give the total that the channel has received, if it is more`,
    'amount',
  )
}

function readAmount(text: string, currency: string): bigint {
  const amount = parseDecimal(text, currency)
  if (amount !== undefined && amount > 0n) return amount
  throw new OperatorRefusal(`${text} is not an amount in ${currency}`, 'amount')
}

type ListDeps = { readonly db: Queryable; readonly clock: Clock }

type OutcomePage = {
  readonly merNo?: number | undefined
  readonly after?: { readonly createdAt: Date; readonly id: string } | undefined
  readonly limit: number
}

/** Lists outcomes that an operator may decide, oldest first. */
export function listOutcomes({ db, clock }: ListDeps, page: OutcomePage): Promise<Unresolved[]> {
  return listUnresolved(db, { ...page, now: clock.now() })
}

type OutcomeKey = { readonly tradeNo: string; readonly refundNo?: string | undefined }

/** Returns the outcome if an operator may decide it. Otherwise throws an OperatorRefusal. */
async function findOutcome({ db, clock }: ListDeps, key: OutcomeKey): Promise<Unresolved> {
  const merNo = key.tradeNo.startsWith('T') ? merNoOf(key.tradeNo) : undefined
  const filter = { now: clock.now(), merNo, tradeNo: key.tradeNo, limit: MOST_OF_AN_ORDER }
  const found = merNo === undefined ? [] : await listUnresolved(db, filter)
  const outcome = found.find((one) => one.refundNo === key.refundNo)
  if (outcome !== undefined) return outcome
  const refund = found.find(({ refundNo }) => refundNo !== undefined)
  const advice = refund === undefined ? RULE : `to decide refund ${refund.refundNo}, name it`
  throw new OperatorRefusal(`${idOf(key)} has no outcome to decide: ${advice}`)
}

const RULE =
  'it must be unknown, or its channel must be late: by a day, or by a week for a refund or payout that it has accepted; a payment waits for its payer first'
const MOST_OF_AN_ORDER = 500
