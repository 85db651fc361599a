// Every route of the back office. The web app imports the type of this table.

import { beneficiariesApi } from './beneficiaries/api.ts'
import { decisionsApi } from './decisions/api.ts'
import { payoutsApi } from './payouts/api.ts'
import type { Routes } from './route.ts'
import { sessionApi } from './session/api.ts'

export const api = {
  ...sessionApi,
  ...decisionsApi,
  ...payoutsApi,
  ...beneficiariesApi,
} as const satisfies Routes

export type Api = typeof api
