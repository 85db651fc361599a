// Every route of the back office. The web app imports the type of this table.

import { booksApi } from './books/api.ts'
import { channelsApi } from './channels/api.ts'
import { merchantsApi } from './merchants/api.ts'
import { platformApi } from './platform/api.ts'
import { queuesApi } from './queues/api.ts'
import { ratesApi } from './rates/api.ts'
import type { Routes } from './route.ts'
import { sessionApi } from './session/api.ts'
import { settlementApi } from './settlement/api.ts'

export const api = {
  ...booksApi,
  ...channelsApi,
  ...merchantsApi,
  ...platformApi,
  ...queuesApi,
  ...ratesApi,
  ...sessionApi,
  ...settlementApi,
} as const satisfies Routes

export type Api = typeof api
