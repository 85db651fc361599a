// Every route of the back office. The web app imports the type of this table.

import { accountApi } from './account/api.ts'
import { alertsApi } from './alerts/api.ts'
import { auditApi } from './audit/api.ts'
import { beneficiariesApi } from './beneficiaries/api.ts'
import { decisionsApi } from './decisions/api.ts'
import { disputesApi } from './disputes/api.ts'
import { mailApi } from './mail/api.ts'
import { payoutsApi } from './payouts/api.ts'
import { registrationApi } from './registration/api.ts'
import { releasesApi } from './releases/api.ts'
import { reviewsApi } from './reviews/api.ts'
import type { Routes } from './route.ts'
import { sessionApi } from './session/api.ts'
import { statementsApi } from './statements/api.ts'
import { suspenseApi } from './suspense/api.ts'
import { usersApi } from './users/api.ts'

export const api = {
  ...sessionApi,
  ...decisionsApi,
  ...payoutsApi,
  ...beneficiariesApi,
  ...suspenseApi,
  ...statementsApi,
  ...reviewsApi,
  ...releasesApi,
  ...disputesApi,
  ...accountApi,
  ...usersApi,
  ...registrationApi,
  ...mailApi,
  ...alertsApi,
  ...auditApi,
} as const satisfies Routes

export type Api = typeof api
