// Every route of the back office. The web app imports the type of this table.

import { notificationsApi } from './notifications/api.ts'
import { requestsApi } from './requests/api.ts'
import type { Routes } from './route.ts'
import { sessionApi } from './session/api.ts'

export const api = { ...sessionApi, ...requestsApi, ...notificationsApi } as const satisfies Routes

export type Api = typeof api
