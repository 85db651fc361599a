import type { PeopleDeps } from '../people-deps.ts'
import { Problem } from '../problem.ts'
import type { Handlers } from '../route.ts'
import type { registrationApi } from './api.ts'
import { registerCompany } from './register-company.ts'

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
  }
}
