import { giveFactor, requestPasskey } from '../../../people/factors/give-factor.ts'
import { passkeyParty } from '../../../people/factors/origins.ts'
import type { Caller, PeopleDeps } from '../../../people/roles/caller.ts'
import { nextStep } from '../../../people/sessions/begin-session.ts'
import { signOut } from '../../../people/sessions/end-sessions.ts'
import type { Sessions } from '../../../people/sessions/find-session.ts'
import { signIn } from '../../../people/sessions/sign-in.ts'
import type { Handlers } from '../route.ts'
import type { sessionApi } from './api.ts'

export type SessionHandlerDeps = PeopleDeps & { readonly registration: boolean }

export function createSessionHandlers(
  deps: SessionHandlerDeps & { readonly sessions: Sessions },
): Handlers<typeof sessionApi> {
  const { mode, registration, baseUrl } = deps
  const site = { mode, registration, passkeyOrigin: passkeyParty(baseUrl)?.origin ?? null }

  async function meOf(caller: Caller) {
    const { userId, email, name, merNo, role, language, permissions, factors } = caller
    const company = await deps.companyOf(merNo)
    return {
      userId,
      email,
      name,
      merNo,
      company,
      role,
      language,
      permissions: [...permissions],
      factors: [...factors],
    }
  }

  return {
    async 'GET /session'({ browser: { token, address } }) {
      const caller = await deps.sessions.find(token, address)
      return caller === undefined ? site : { ...site, me: await meOf(caller), next: nextStep(caller) }
    },

    async 'POST /session'({ body, browser }) {
      return { next: await signIn(deps, body, browser) }
    },

    async 'DELETE /session'({ caller, browser }) {
      await signOut(deps, caller)
      browser.setSession(undefined)
      return {}
    },

    async 'POST /session/factor'({ caller, body, browser }) {
      const recoveryCodesLeft = await giveFactor(deps, caller, body, browser)
      return { next: 'done', ...(recoveryCodesLeft !== undefined && { recoveryCodesLeft }) }
    },

    'POST /session/passkey': ({ caller }) => requestPasskey(deps, caller),
  }
}
