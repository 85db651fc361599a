import { userInfo } from 'node:os'
import type { Approver } from '../../../money/approvals/may-approve.ts'
import type { DecisionDeps } from '../../../money/decisions/decide-outcome.ts'
import { openRates, type Rates } from '../../../money/rates/rates.ts'
import type { Actor } from '../../../platform/audit-log/entry.ts'
import type { Clock } from '../../../platform/base/clock.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import type { Result, Tools } from '../command.ts'

/** The actor of a command: the audit log names the account of the operating system. */
export function commandActor(): Actor {
  return { kind: 'command', name: userInfo().username }
}

/** The approver of a command. A person who can open the database may do everything. */
export function commandApprover(): Approver {
  return { actor: commandActor(), merNo: 0, need: () => {} }
}

type RatesDeps = { readonly db: Db; readonly clock: Clock; readonly rates: Rates }

export async function withRates<Done>(tools: Tools, work: (deps: RatesDeps) => Promise<Done>): Promise<Done> {
  const db = await tools.database()
  const { clock } = tools
  const rates = await openRates({ db, clock })
  try {
    return await work({ db, clock, rates })
  } finally {
    rates.close()
  }
}

export function withDecisions(
  tools: Tools,
  decide: (deps: DecisionDeps) => Promise<Result>,
): Promise<Result> {
  const { secondPersonAbove } = tools.config()
  return withRates(tools, (deps) => decide({ ...deps, secondPersonAbove }))
}

export function waitsForApproval(approvalId: string | undefined): string {
  return `It waits for a second person: tollgate approval approve ${approvalId} --reason TEXT`
}
