// Every route of the back office. The web app imports the type of this table.

import { ordersApi } from './orders/api.ts'
import { overviewApi } from './overview/api.ts'
import type { Routes } from './route.ts'
import { sessionApi } from './session/api.ts'

export const api = { ...sessionApi, ...ordersApi, ...overviewApi } as const satisfies Routes

export type Api = typeof api
