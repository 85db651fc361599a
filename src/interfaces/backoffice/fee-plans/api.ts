// Named fee plans, which several merchants may share. An edit with `dryRun` returns the changes and the affected
// merchants, and saves nothing.
import { Type } from 'typebox'
import { Edited, editing, Plan, termTexts } from '../merchants/api.ts'
import type { Routes } from '../route.ts'

const Merchants = Type.Array(Type.Object({ merNo: Type.Integer(), name: Type.String() }))

const params = Type.Object({
  plan: Type.String({ minLength: 1, maxLength: 40 }),
  method: Type.String({ maxLength: 40 }),
})

const PlanEdited = Type.Object({ ...Edited.properties, merchants: Merchants })

export const feePlansApi = {
  'GET /fee-plans': {
    access: 'merchants.read',
    reply: Type.Object({
      plans: Type.Array(
        Type.Object({
          plan: Type.String(),
          terms: Type.Array(Plan),
          version: Type.String(),
          /** The number of merchants that follow the plan. */
          merchants: Type.Integer(),
        }),
      ),
    }),
  },
  /** Changes a plan. With the method `all`, the plan is created if it does not exist. */
  'PUT /fee-plans/:plan/:method': {
    access: 'merchants.edit',
    dangerous: 'unless-dry-run',
    params,
    body: Type.Object({
      terms: Type.Object(termTexts),
      /** If true, the call is refused if a plan with this name exists. */
      isNew: Type.Optional(Type.Boolean()),
      ...editing,
    }),
    reply: PlanEdited,
  },
  'DELETE /fee-plans/:plan/:method': {
    access: 'merchants.edit',
    dangerous: 'unless-dry-run',
    params,
    body: Type.Object(editing),
    reply: PlanEdited,
  },
} as const satisfies Routes
