// The back office at /backoffice: its API, and the web app that uses it.
import type { FastifyInstance } from 'fastify'
import { api } from './api.ts'
import { Problem } from './problem.ts'
import type { Handlers } from './route.ts'
import { sessionCookie } from './server/cookie.ts'
import { registerApi } from './server/register-api.ts'
import { findSession } from './session/find-session.ts'
import { createSessionHandlers, type SessionHandlerDeps } from './session/handlers.ts'

export type BackOfficeDeps = SessionHandlerDeps & { readonly baseUrl: string }

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

/** For routes whose handlers are still to come. */
const refuse = () => {
  throw new Problem('refused', 'This is not there yet.')
}
const notYet: Handlers<typeof api> = Object.fromEntries(
  Object.keys(api).map((name): readonly unknown[] => [name, refuse]),
)

function handlersOf(deps: BackOfficeDeps): Handlers<typeof api> {
  return { ...notYet, ...createSessionHandlers(deps) }
}
