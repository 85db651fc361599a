// The back office at /backoffice: its API, and the web app that uses it.
import type { FastifyInstance } from 'fastify'
import { api } from './api.ts'
import { createNotificationsHandlers, type NotificationsDeps } from './notifications/handlers.ts'
import { createRequestsHandlers, type RequestsDeps } from './requests/handlers.ts'
import type { Handlers } from './route.ts'
import { sessionCookie } from './server/cookie.ts'
import { registerApi } from './server/register-api.ts'
import { findSession } from './session/find-session.ts'
import { createSessionHandlers, type SessionHandlerDeps } from './session/handlers.ts'

export type BackOfficeDeps = SessionHandlerDeps &
  RequestsDeps &
  NotificationsDeps & { readonly baseUrl: string }

export function registerBackOffice(app: FastifyInstance, deps: BackOfficeDeps): void {
  const { origin } = new URL(deps.baseUrl)
  const handlers = handlersOf(deps)
  app.register(
    async (scope) =>
      registerApi(scope, {
        origin,
        cookie: sessionCookie(origin),
        routes: api,
        handlers,
        findSession: (token, address) => findSession(deps, token, address),
        now: () => deps.clock.now(),
      }),
    { prefix: '/backoffice/api' },
  )
}

function handlersOf(deps: BackOfficeDeps): Handlers<typeof api> {
  return {
    ...createSessionHandlers(deps),
    ...createRequestsHandlers(deps),
    ...createNotificationsHandlers(deps),
  }
}
