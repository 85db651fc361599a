// The effects of approvals that operators decide, one per kind of approval.
import { correctionCarrying } from './correct-balance.ts'
import { type DecisionDeps, outcomeCarrying } from './decide-outcome.ts'
import { suspenseCarrying } from './decide-suspense.ts'

export function decisionCarrying(deps: DecisionDeps) {
  return {
    outcome: outcomeCarrying(deps),
    correction: correctionCarrying,
    suspense: suspenseCarrying(deps),
  }
}
