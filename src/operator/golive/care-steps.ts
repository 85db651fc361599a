// Steps that keep the service alive: copies that were restored, and alarms that somebody hears.
import { readMetrics } from '../doctor/gateway-metrics.ts'
import { findConfirmation } from './confirmations.ts'
import { done, missing, type Step } from './step.ts'

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
