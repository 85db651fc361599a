// Fee plans with names that merchants share. A PUT with `dryRun` says what would change, for whom, and changes nothing.
import { Type } from 'typebox'
import { Edited, editing, Plan, terms } from '../merchants/edit-schemas.ts'
import type { Routes } from '../route.ts'

const Terms = Type.Array(Type.Object({ method: Type.String(), ...Plan }))
const Merchants = Type.Array(Type.Object({ merNo: Type.Integer(), name: Type.String() }))

const params = Type.Object({
  plan: Type.String({ minLength: 1, maxLength: 40 }),
  method: Type.String({ maxLength: 40 }),
})

/** With the merchants whose terms change. */
const PlanEdited = Type.Object({ ...Edited.properties, merchants: Merchants })

export const feePlansApi = {
  'GET /fee-plans': {
    access: 'merchants.read',
    reply: Type.Object({
      plans: Type.Array(
        Type.Object({
          plan: Type.String(),
          terms: Terms,
          /** Of the terms. */
          version: Type.String(),
          /** How many follow it. */
          merchants: Type.Integer(),
        }),
      ),
    }),
  },
  /** The method `all` creates the plan if there is none. */
  'PUT /fee-plans/:plan/:method': {
    access: 'merchants.edit',
    dangerous: 'unless-dry-run',
    params,
    body: Type.Object({
      terms: Type.Object(terms),
      /** Refused if there is a plan of this name. */
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
