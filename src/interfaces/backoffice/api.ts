// Every route of the back office. The web app imports the type of this table.
import { accountApi } from './account/api.ts'
import { alertsApi } from './alerts/api.ts'
import { auditApi } from './audit/api.ts'
import { beneficiariesApi } from './beneficiaries/api.ts'
import { booksApi } from './books/api.ts'
import { bulkRefundsApi } from './bulk-refunds/api.ts'
import { channelsApi } from './channels/api.ts'
import { companyApi } from './company/api.ts'
import { decisionsApi } from './decisions/api.ts'
import { disputesApi } from './disputes/api.ts'
import { examsApi } from './exams/api.ts'
import { exportsApi } from './exports/api.ts'
import { feePlansApi } from './fee-plans/api.ts'
import { keysApi } from './keys/api.ts'
import { linksApi } from './links/api.ts'
import { mailApi } from './mail/api.ts'
import { merchantsApi } from './merchants/api.ts'
import { notificationsApi } from './notifications/api.ts'
import { operationsApi } from './operations/api.ts'
import { ordersApi } from './orders/api.ts'
import { overviewApi } from './overview/api.ts'
import { payoutsApi } from './payouts/api.ts'
import { platformApi } from './platform/api.ts'
import { queuesApi } from './queues/api.ts'
import { ratesApi } from './rates/api.ts'
import { reconciliationApi } from './reconciliation/api.ts'
import { referenceApi } from './reference/api.ts'
import { refundsApi } from './refunds/api.ts'
import { registrationApi } from './registration/api.ts'
import { releasesApi } from './releases/api.ts'
import { requestsApi } from './requests/api.ts'
import { reviewsApi } from './reviews/api.ts'
import { riskApi } from './risk/api.ts'
import type { Routes } from './route.ts'
import { sessionApi } from './session/api.ts'
import { settlementApi } from './settlement/api.ts'
import { statementsApi } from './statements/api.ts'
import { suspenseApi } from './suspense/api.ts'
import { usersApi } from './users/api.ts'
import { viewsApi } from './views/api.ts'

export const api = {
  ...accountApi,
  ...alertsApi,
  ...auditApi,
  ...beneficiariesApi,
  ...booksApi,
  ...bulkRefundsApi,
  ...channelsApi,
  ...companyApi,
  ...decisionsApi,
  ...disputesApi,
  ...examsApi,
  ...exportsApi,
  ...feePlansApi,
  ...keysApi,
  ...linksApi,
  ...mailApi,
  ...merchantsApi,
  ...notificationsApi,
  ...operationsApi,
  ...ordersApi,
  ...overviewApi,
  ...payoutsApi,
  ...platformApi,
  ...queuesApi,
  ...ratesApi,
  ...reconciliationApi,
  ...referenceApi,
  ...refundsApi,
  ...registrationApi,
  ...releasesApi,
  ...requestsApi,
  ...reviewsApi,
  ...riskApi,
  ...sessionApi,
  ...settlementApi,
  ...statementsApi,
  ...suspenseApi,
  ...usersApi,
  ...viewsApi,
} as const satisfies Routes

export type Api = typeof api
