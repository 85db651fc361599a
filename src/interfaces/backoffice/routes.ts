// The back office at /backoffice: its API, and the web app that uses it.
import type { FastifyInstance } from 'fastify'
import { originsOf } from '../../people/factors/origins.ts'
import type { PeopleDeps } from '../../people/roles/caller.ts'
import { openSessions, type Sessions } from '../../people/sessions/find-session.ts'
import { type AccountDeps, createAccountHandlers } from './account/handlers.ts'
import { type AlertDeps, createAlertsHandlers } from './alerts/handlers.ts'
import { api } from './api.ts'
import { type AuditHandlerDeps, createAuditHandlers } from './audit/handlers.ts'
import { createBeneficiaryHandlers } from './beneficiaries/handlers.ts'
import type { BeneficiaryDeps } from './beneficiaries/save-beneficiary.ts'
import { type BooksDeps, createBooksHandlers } from './books/handlers.ts'
import { type BulkHandlerDeps, createBulkRefundHandlers } from './bulk-refunds/handlers.ts'
import { type ChannelsDeps, createChannelsHandlers } from './channels/handlers.ts'
import { type CompanyDeps, createCompanyHandlers } from './company/handlers.ts'
import { createDecisionHandlers, type DecisionHandlerDeps } from './decisions/handlers.ts'
import { createDisputeHandlers, type DisputeHandlerDeps } from './disputes/handlers.ts'
import { createExamsHandlers, type ExamsDeps } from './exams/handlers.ts'
import { createExportHandlers, type ExportHandlerDeps } from './exports/handlers.ts'
import { createFeePlansHandlers, type FeePlansDeps } from './fee-plans/handlers.ts'
import { createKeysHandlers, type KeysDeps } from './keys/handlers.ts'
import { createLinkHandlers, type LinkHandlerDeps } from './links/handlers.ts'
import { createMailHandlers, type MailHandlerDeps } from './mail/handlers.ts'
import { createMerchantsHandlers, type MerchantsDeps } from './merchants/handlers.ts'
import { createNotificationsHandlers, type NotificationsDeps } from './notifications/handlers.ts'
import { createOperationsHandlers, type OperationsDeps } from './operations/handlers.ts'
import { createOrderHandlers, type OrderHandlerDeps } from './orders/handlers.ts'
import { createOverviewHandlers, type OverviewDeps } from './overview/handlers.ts'
import { createPayoutHandlers, type PayoutHandlerDeps } from './payouts/handlers.ts'
import { createPlatformHandlers, type PlatformDeps } from './platform/handlers.ts'
import { createQueuesHandlers } from './queues/handlers.ts'
import type { QueuesDeps } from './queues/read-queues.ts'
import { createRatesHandlers, type RatesDeps } from './rates/handlers.ts'
import { createReconciliationHandlers, type ReconciliationDeps } from './reconciliation/handlers.ts'
import { createReferenceHandlers, type ReferenceHandlerDeps } from './reference/handlers.ts'
import { createRefundHandlers, type RefundHandlerDeps } from './refunds/handlers.ts'
import { createRegistrationHandlers, type RegistrationDeps } from './registration/handlers.ts'
import { createReleaseHandlers, type ReleaseHandlerDeps } from './releases/handlers.ts'
import { createRequestsHandlers, type RequestsDeps } from './requests/handlers.ts'
import { createReviewHandlers, type ReviewHandlerDeps } from './reviews/handlers.ts'
import { createRiskHandlers, type RiskHandlerDeps } from './risk/handlers.ts'
import type { Handlers } from './route.ts'
import { deviceCookie, sessionCookie } from './server/cookie.ts'
import { registerApi } from './server/register-api.ts'
import { registerWebApp } from './server/web-app.ts'
import { createSessionHandlers, type SessionHandlerDeps } from './session/handlers.ts'
import { createSettlementHandlers, type SettlementDeps } from './settlement/handlers.ts'
import { createStatementHandlers, type StatementHandlerDeps } from './statements/handlers.ts'
import { createSuspenseHandlers, type SuspenseHandlerDeps } from './suspense/handlers.ts'
import { createUsersHandlers } from './users/handlers.ts'
import { createViewHandlers, type ViewHandlerDeps } from './views/handlers.ts'

export type BackOfficeDeps = AccountDeps &
  AlertDeps &
  AuditHandlerDeps &
  BeneficiaryDeps &
  BooksDeps &
  BulkHandlerDeps &
  ChannelsDeps &
  CompanyDeps &
  DecisionHandlerDeps &
  DisputeHandlerDeps &
  ExamsDeps &
  ExportHandlerDeps &
  FeePlansDeps &
  KeysDeps &
  LinkHandlerDeps &
  MailHandlerDeps &
  MerchantsDeps &
  NotificationsDeps &
  OperationsDeps &
  OrderHandlerDeps &
  OverviewDeps &
  PayoutHandlerDeps &
  PlatformDeps &
  QueuesDeps &
  RatesDeps &
  ReconciliationDeps &
  ReferenceHandlerDeps &
  RefundHandlerDeps &
  RegistrationDeps &
  ReleaseHandlerDeps &
  RequestsDeps &
  ReviewHandlerDeps &
  RiskHandlerDeps &
  SessionHandlerDeps &
  SettlementDeps &
  StatementHandlerDeps &
  SuspenseHandlerDeps &
  PeopleDeps &
  ViewHandlerDeps & { readonly baseUrl: string }

export function registerBackOffice(app: FastifyInstance, deps: BackOfficeDeps): void {
  const { origin } = new URL(deps.baseUrl)
  const sessions = openSessions(deps)
  const handlers = handlersOf({ ...deps, sessions })
  app.register(
    async (scope) =>
      registerApi(scope, {
        origins: originsOf(deps.baseUrl),
        cookie: sessionCookie(origin),
        deviceCookie: deviceCookie(origin),
        routes: api,
        handlers,
        sessions,
        now: () => deps.clock.now(),
      }),
    { prefix: '/backoffice/api' },
  )
  app.register(async (scope) => registerWebApp(scope), { prefix: '/backoffice' })
}

function handlersOf(deps: BackOfficeDeps & { readonly sessions: Sessions }): Handlers<typeof api> {
  return {
    ...createAccountHandlers(deps),
    ...createAlertsHandlers(deps),
    ...createAuditHandlers(deps),
    ...createBeneficiaryHandlers(deps),
    ...createBooksHandlers(deps),
    ...createBulkRefundHandlers(deps),
    ...createChannelsHandlers(deps),
    ...createCompanyHandlers(deps),
    ...createDecisionHandlers(deps),
    ...createDisputeHandlers(deps),
    ...createExamsHandlers(deps),
    ...createExportHandlers(deps),
    ...createFeePlansHandlers(deps),
    ...createKeysHandlers(deps),
    ...createLinkHandlers(deps),
    ...createMailHandlers(deps),
    ...createMerchantsHandlers(deps),
    ...createNotificationsHandlers(deps),
    ...createOperationsHandlers(deps),
    ...createOrderHandlers(deps),
    ...createOverviewHandlers(deps),
    ...createPayoutHandlers(deps),
    ...createPlatformHandlers(deps),
    ...createQueuesHandlers(deps),
    ...createRatesHandlers(deps),
    ...createReconciliationHandlers(deps),
    ...createReferenceHandlers(deps),
    ...createRefundHandlers(deps),
    ...createRegistrationHandlers(deps),
    ...createReleaseHandlers(deps),
    ...createRequestsHandlers(deps),
    ...createReviewHandlers(deps),
    ...createRiskHandlers(deps),
    ...createSessionHandlers(deps),
    ...createSettlementHandlers(deps),
    ...createStatementHandlers(deps),
    ...createSuspenseHandlers(deps),
    ...createUsersHandlers(deps),
    ...createViewHandlers(deps),
  }
}
