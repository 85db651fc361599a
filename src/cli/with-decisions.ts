import type { DecisionDeps } from '../decisions/decide-outcome.ts'
import { openRates } from '../rates/rates.ts'
import type { Result, Tools } from './command.ts'

/** Rates are open while the decision is taken. */
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
