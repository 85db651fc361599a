import {
  type DescribedPlan,
  listPlans,
  lookAtPlan,
  readPlanMethod,
  readPlanName,
  removePlanMethod,
  setPlan,
} from '../../../money/merchants/named-plans.ts'
import { actorOf, type Caller } from '../../../people/roles/caller.ts'
import { PLATFORM } from '../../../people/roles/permissions.ts'
import type { Clock } from '../../../platform/base/clock.ts'
import { atField } from '../../../platform/errors/problem.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import { edit, versionOf } from '../edit.ts'
import { feeChanges, optionsAtFields } from '../merchants/edit-terms.ts'
import type { Handlers } from '../route.ts'
import type { feePlansApi } from './api.ts'

export type FeePlansDeps = { readonly db: Db; readonly clock: Clock }

type Wanted = {
  readonly version?: string | undefined
  readonly dryRun?: boolean | undefined
  readonly isNew?: boolean | undefined
  readonly reason: string
}

export function createFeePlansHandlers({ db, clock }: FeePlansDeps): Handlers<typeof feePlansApi> {
  async function change(caller: Caller, plan: string, wanted: Wanted, work: (db: Db) => Promise<unknown>) {
    let before: DescribedPlan | undefined
    let after: DescribedPlan | undefined
    const line = {
      merNo: PLATFORM,
      at: clock.now(),
      actor: actorOf(caller),
      action: 'fee-plan.set',
      subject: plan,
      reason: wanted.reason,
    }
    const { changes, version } = await edit(
      db,
      {
        look: async (tx) => {
          after = await lookAtPlan(tx, plan)
          before ??= after
          if (wanted.isNew === true && before.terms.length > 0) throw atField('plan', 'Choose another name.')
          return { terms: after.terms }
        },
        seen: wanted.version,
        dryRun: wanted.dryRun,
        line,
      },
      work,
    )
    const merchants = changes.length === 0 ? [] : [...(after?.merchants ?? [])]
    return { changes, fees: feeChanges(sample(before), sample(after)), merchants, version }
  }

  return {
    async 'GET /fee-plans'() {
      const plans = await listPlans(db)
      return {
        plans: plans.map((one) => {
          const terms = one.terms.map((row) => ({ ...row, method: row.method || 'all' }))
          return { plan: one.plan, terms, version: versionOf({ terms }), merchants: one.merchants }
        }),
      }
    },

    'PUT /fee-plans/:plan/:method': ({ caller, params, body }) => {
      const [plan, method] = [readPlanName(params.plan), readPlanMethod(params.method)]
      return change(caller, plan, body, (to) =>
        setPlan(to, { plan, method, options: optionsAtFields(body.terms) }),
      )
    },

    'DELETE /fee-plans/:plan/:method': ({ caller, params: { plan, method }, body }) =>
      change(caller, plan, body, (to) => removePlanMethod(to, plan, readPlanMethod(method))),
  }
}

/** Returns the terms of a plan in the form that `feeChanges` compares. The only currency is the US dollar. */
function sample(plan: DescribedPlan | undefined) {
  return { feePlans: [...(plan?.terms ?? [])], currencies: { USD: 'USD' } }
}
