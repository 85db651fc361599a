import { registerCompany } from '../../../people/registration/register-company.ts'
import type { PeopleDeps } from '../../../people/roles/caller.ts'
import { Problem } from '../../../platform/errors/problem.ts'
import type { Handlers } from '../route.ts'
import type { registrationApi } from './api.ts'

export type RegistrationDeps = PeopleDeps & {
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
