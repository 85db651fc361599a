// The back office at /backoffice: its API, and the web app that uses it.
import type { FastifyInstance } from 'fastify'
import { type AccountDeps, createAccountHandlers } from './account/handlers.ts'
import { createAlertsHandlers } from './alerts/handlers.ts'
import { api } from './api.ts'
import { createAuditHandlers } from './audit/handlers.ts'
import { createBeneficiaryHandlers } from './beneficiaries/handlers.ts'
import type { BeneficiaryDeps } from './beneficiaries/save-beneficiary.ts'
import { createDecisionHandlers, type DecisionHandlerDeps } from './decisions/handlers.ts'
import { createDisputeHandlers } from './disputes/handlers.ts'
import { createMailHandlers, type MailHandlerDeps } from './mail/handlers.ts'
import { createPayoutHandlers, type PayoutHandlerDeps } from './payouts/handlers.ts'
import { createRegistrationHandlers, type RegistrationDeps } from './registration/handlers.ts'
import { createReleaseHandlers } from './releases/handlers.ts'
import { createReviewHandlers } from './reviews/handlers.ts'
import type { Handlers } from './route.ts'
import { deviceCookie, sessionCookie } from './server/cookie.ts'
import { originsOf } from './server/origins.ts'
import { registerApi } from './server/register-api.ts'
import { registerWebApp } from './server/web-app.ts'
import { findSession } from './session/find-session.ts'
import { createSessionHandlers } from './session/handlers.ts'
import { createStatementHandlers } from './statements/handlers.ts'
import { createSuspenseHandlers } from './suspense/handlers.ts'
import { createUsersHandlers } from './users/handlers.ts'

export type BackOfficeDeps = AccountDeps &
  RegistrationDeps &
  MailHandlerDeps &
  DecisionHandlerDeps &
  PayoutHandlerDeps &
  BeneficiaryDeps

export function registerBackOffice(app: FastifyInstance, deps: BackOfficeDeps): void {
  const { origin } = new URL(deps.baseUrl)
  const handlers = handlersOf(deps)
  app.register(
    async (scope) =>
      registerApi(scope, {
        origins: originsOf(deps.baseUrl),
        cookie: sessionCookie(origin),
        deviceCookie: deviceCookie(origin),
        routes: api,
        handlers,
        findSession: (token, address) => findSession(deps, token, address),
        now: () => deps.clock.now(),
      }),
    { prefix: '/backoffice/api' },
  )
  app.register(async (scope) => registerWebApp(scope), { prefix: '/backoffice' })
}

function handlersOf(deps: BackOfficeDeps): Handlers<typeof api> {
  return {
    ...createSessionHandlers(deps),
    ...createDecisionHandlers(deps),
    ...createPayoutHandlers(deps),
    ...createBeneficiaryHandlers(deps),
    ...createSuspenseHandlers(deps),
    ...createStatementHandlers(deps),
    ...createReviewHandlers(deps),
    ...createReleaseHandlers(deps),
    ...createDisputeHandlers(deps),
    ...createAccountHandlers(deps),
    ...createUsersHandlers(deps),
    ...createRegistrationHandlers(deps),
    ...createMailHandlers(deps),
    ...createAlertsHandlers(deps),
    ...createAuditHandlers(deps),
  }
}
