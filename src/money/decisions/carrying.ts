// The handlers that carry out decided approvals of the kinds outcome, correction and suspense. The handlers of the
// other kinds belong to the back office and to people/registration.
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
