// Walks through the steps to live. A step depends on all earlier steps, so the walk ends at the first step that is not
// done.
import { reason } from '../doctor/checks.ts'
import { channel, merchant, rates } from './business-steps.ts'
import { alarms, backups } from './care-steps.ts'
import { address, operator, settings } from './installation-steps.ts'
import { books, payment, refund } from './payment-steps.ts'
import { missing, type Step, type StepDeps, type StepResult } from './step.ts'

export const steps: readonly Step[] = [
  settings,
  address,
  operator,
  merchant,
  rates,
  channel,
  payment,
  refund,
  books,
  backups,
  alarms,
]

export type Walked = StepResult & { readonly name: string; readonly title: string }

export async function walk(deps: StepDeps): Promise<Walked[]> {
  const walked: Walked[] = []
  for (const { name, title, check } of steps) {
    const result = await check(deps).catch((error: unknown) =>
      missing(`it could not be checked: ${reason(error)}`, 'run "doctor", and remove the cause'),
    )
    walked.push({ name, title, ...result })
    if (!result.isDone) break
  }
  return walked
}
