// The back office at /backoffice: its API, and the web app that uses it.
import type { FastifyInstance } from 'fastify'
import { api } from './api.ts'
import { type BooksDeps, createBooksHandlers } from './books/handlers.ts'
import { type ChannelsDeps, createChannelsHandlers } from './channels/handlers.ts'
import { createMerchantsHandlers, type MerchantsDeps } from './merchants/handlers.ts'
import { createPlatformHandlers, type PlatformDeps } from './platform/handlers.ts'
import { createQueuesHandlers, type QueuesDeps } from './queues/handlers.ts'
import { createRatesHandlers, type RatesDeps } from './rates/handlers.ts'
import type { Handlers } from './route.ts'
import { sessionCookie } from './server/cookie.ts'
import { registerApi } from './server/register-api.ts'
import { findSession } from './session/find-session.ts'
import { createSessionHandlers, type SessionHandlerDeps } from './session/handlers.ts'
import { createSettlementHandlers, type SettlementDeps } from './settlement/handlers.ts'

export type BackOfficeDeps = SessionHandlerDeps &
  MerchantsDeps &
  BooksDeps &
  ChannelsDeps &
  QueuesDeps &
  PlatformDeps &
  RatesDeps &
  SettlementDeps & { readonly baseUrl: string }

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
    ...createBooksHandlers(deps),
    ...createChannelsHandlers(deps),
    ...createQueuesHandlers(deps),
    ...createMerchantsHandlers(deps),
    ...createPlatformHandlers(deps),
    ...createRatesHandlers(deps),
    ...createSessionHandlers(deps),
    ...createSettlementHandlers(deps),
  }
}
