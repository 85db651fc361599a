// Two steps: a backup was restored, and alarms reach a person. An operator confirms what this machine cannot check
// alone. A confirmation is a line of the audit log, and is valid for 90 days.

import { readEntries } from '../../platform/audit-log/read-entries.ts'
import { readMetrics } from '../doctor/gateway-metrics.ts'
import { done, missing, type Step, type StepDeps } from './step.ts'

export const backups: Step = {
  name: 'backups',
  title: 'Backups that were restored',
  async check(deps) {
    const why = await findConfirmation(deps, 'backups')
    return why !== undefined
      ? done(why)
      : missing(
          'nobody has confirmed that a backup was restored',
          'restore database and master key elsewhere, run "golive restored" there, and here what it prints',
        )
  },
}

export const alarms: Step = {
  name: 'alarms',
  title: 'Metrics and alarms',
  async check(deps) {
    const { ops } = deps.config()
    if (ops === undefined)
      return missing('TOLLGATE_OPS_PORT is not set', 'set it, and let Prometheus read /metrics there')
    const read = await readMetrics(ops)
    if ('problem' in read) return missing(read.problem, 'start the gateway with TOLLGATE_OPS_PORT')
    const why = await findConfirmation(deps, 'alarms')
    return why !== undefined
      ? done(why)
      : missing(
          'nobody has confirmed that an alarm reaches a person',
          'load deploy/prometheus, let an alarm fire, then "golive confirm alarms --why TEXT"',
        )
  },
}

const ACTION = 'golive.confirm'
const HOLDS_MS = 90 * 86_400_000

export const confirmed = ['backups', 'alarms'] as const
type Confirmed = (typeof confirmed)[number]

export function isConfirmable(name: string): name is Confirmed {
  return confirmed.some((one) => one === name)
}

/**
 * Returns the reason of the latest valid confirmation, or `confirmed` if no reason was given. Undefined without a valid
 * confirmation.
 */
async function findConfirmation(
  { database, clock }: Pick<StepDeps, 'database' | 'clock'>,
  step: Confirmed,
): Promise<string | undefined> {
  const from = new Date(clock.now().getTime() - HOLDS_MS)
  const [latest] = await readEntries(await database(), { merNo: 0, action: ACTION, subject: step, from }, 1)
  return latest && (latest.reason || 'confirmed')
}
