import type { PeopleDeps } from '../people-deps.ts'
import { Problem } from '../problem.ts'
import type { Handlers } from '../route.ts'
import type { registrationApi } from './api.ts'
import { registerCompany } from './register-company.ts'
import { selectRegistered } from './sql.ts'

export type RegistrationDeps = PeopleDeps & {
  /** Whether companies may register themselves. */
  readonly registration: boolean
}

export function createRegistrationHandlers(deps: RegistrationDeps): Handlers<typeof registrationApi> {
  return {
    async 'POST /registration'({ body, browser }) {
      if (!deps.registration)
        throw new Problem('refused', 'Companies cannot register here. Ask the operator of this gateway.')
      await registerCompany(deps, body, browser)
      return {}
    },

    async 'GET /registrations/:merNo'({ params }) {
      const row = await selectRegistered(deps.db, params.merNo)
      if (row === undefined) throw new Problem('not-found', 'This company did not register itself.')
      const { registered_at, confirmed_at, ...company } = row
      const times = { registeredAt: registered_at.toISOString(), confirmedAt: confirmed_at.toISOString() }
      return { ...company, ...times }
    },
  }
}
