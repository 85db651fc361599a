// An operator decides an outcome that its channel can no longer tell: charged or not, sent or not.
import { askApproval } from '../approvals/ask-approval.ts'
import type { Carrying } from '../approvals/decide-approval.ts'
import type { Actor } from '../audit-log/entry.ts'
import type { Clock } from '../base/clock.ts'
import { idOf, type Unresolved } from '../order-queries/list-unresolved.ts'
import type { Db } from '../postgres/db.ts'
import type { Rates } from '../rates/rates.ts'
import { findOutcome, type OutcomeKey } from './list-outcomes.ts'
import { type DecidedAs, recordByHand } from './record-by-hand.ts'
import { needsSecondPerson } from './second-person.ts'

export type DecisionDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly rates: Rates
  /** In US cents; a decision above it waits for a second person. */
  readonly secondPersonAbove: bigint
}

export type OutcomeDecision = OutcomeKey & {
  readonly as: DecidedAs
  readonly reason: string
  readonly actor: Actor
}

export type OutcomeDecided = {
  readonly outcome: Unresolved
  /** Set if it waits for a second person. */
  readonly approvalId: string | undefined
}

export async function decideOutcome(deps: DecisionDeps, wanted: OutcomeDecision): Promise<OutcomeDecided> {
  const { as, reason, actor } = wanted
  const at = deps.clock.now()
  const outcome = await findOutcome(deps, wanted)
  const { merNo, tradeNo, refundNo, money } = outcome
  if (!needsSecondPerson(deps, money)) {
    await deps.db.transaction((tx) => recordByHand(tx, deps, { outcome, as, reason, actor, at }))
    return { outcome, approvalId: undefined }
  }
  const approval = await deps.db.transaction((tx) =>
    askApproval(tx, {
      merNo,
      decider: 'platform',
      kind: 'outcome',
      subject: idOf(outcome),
      action: { tradeNo, as, of: outcome.kind, ...(refundNo !== undefined && { refundNo }) },
      money,
      reason,
      actor,
      at,
    }),
  )
  return { outcome, approvalId: approval.approvalId }
}

/** The channel may have told it meanwhile: then it is refused, and nothing is left to approve. */
export function outcomeCarrying(deps: DecisionDeps): Carrying {
  return {
    async approved(tx, { action, reason, askedBy }, { actor, at }) {
      const { tradeNo = '', refundNo } = action
      const outcome = await findOutcome({ db: tx, clock: deps.clock }, { tradeNo, refundNo })
      const as = action.as === 'succeeded' ? 'succeeded' : 'failed'
      await recordByHand(tx, deps, { outcome, as, reason, actor, askedBy, at })
    },
  }
}
