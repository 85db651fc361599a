// Every route of the back office. The web app imports the type of this table.
import { accountApi } from './account/api.ts'
import { alertsApi } from './alerts/api.ts'
import { auditApi } from './audit/api.ts'
import { mailApi } from './mail/api.ts'
import { registrationApi } from './registration/api.ts'
import type { Routes } from './route.ts'
import { sessionApi } from './session/api.ts'
import { usersApi } from './users/api.ts'

export const api = {
  ...sessionApi,
  ...accountApi,
  ...usersApi,
  ...registrationApi,
  ...mailApi,
  ...alertsApi,
  ...auditApi,
} as const satisfies Routes

export type Api = typeof api
