import { userInfo } from 'node:os'
import type { Approver } from '../../../money/approvals/may-approve.ts'
import type { DecisionDeps } from '../../../money/decisions/decide-outcome.ts'
import { openRates } from '../../../money/rates/rates.ts'
import type { Actor } from '../../../platform/audit-log/entry.ts'
import type { Result, Tools } from '../command.ts'

/** Returns the person who runs the command, for the audit log: the account of the operating system. */
export function commandActor(): Actor {
  return { kind: 'command', name: userInfo().username }
}

/** Returns the person who runs the command, as an approver. A person who can open the database may do everything. */
export function commandApprover(): Approver {
  return { actor: commandActor(), merNo: 0, need: () => {} }
}

/** Runs a decision with the current rates, and closes the rates after the decision. */
export async function withDecisions(
  tools: Tools,
  decide: (deps: DecisionDeps) => Promise<Result>,
): Promise<Result> {
  const db = await tools.database()
  const { clock } = tools
  const rates = await openRates({ db, clock })
  try {
    return await decide({ db, clock, rates, secondPersonAbove: tools.config().secondPersonAbove })
  } finally {
    rates.close()
  }
}
