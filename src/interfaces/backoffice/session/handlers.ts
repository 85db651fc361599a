import { writeAudit } from '../../audit-log/write-entry.ts'
import { actorOf, type Caller } from '../caller.ts'
import { CHALLENGE_MS, putChallenge } from '../factors/challenge.ts'
import { selectPasskeys } from '../factors/sql.ts'
import type { PeopleDeps } from '../people-deps.ts'
import { Problem } from '../problem.ts'
import type { Handlers } from '../route.ts'
import { passkeyParty } from '../server/origins.ts'
import type { sessionApi } from './api.ts'
import { giveFactor } from './give-factor.ts'
import { nextStep } from './next-step.ts'
import type { Sessions } from './sessions.ts'
import { signIn } from './sign-in.ts'
import { endSession } from './sql.ts'

export type SessionHandlerDeps = PeopleDeps & { readonly registration: boolean }

export function createSessionHandlers(
  deps: SessionHandlerDeps & { readonly sessions: Sessions },
): Handlers<typeof sessionApi> {
  const { db, clock, vault, mode, registration, baseUrl } = deps
  const party = passkeyParty(baseUrl)
  const site = { mode, registration, passkeyOrigin: party?.origin ?? null }

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
      const { merNo, email, sessionId, factorAt } = caller
      const at = clock.now()
      await db.transaction(async (tx) => {
        await endSession(tx, sessionId, at)
        // Without the second factor nobody was signed in.
        if (factorAt === null) return
        await writeAudit(tx, { merNo, at, actor: actorOf(caller), action: 'user.sign-out', subject: email })
      })
      browser.setSession(undefined)
      return {}
    },

    async 'POST /session/factor'({ caller, body, browser }) {
      const recoveryCodesLeft = await giveFactor(deps, caller, body, browser)
      return { next: 'done', ...(recoveryCodesLeft !== undefined && { recoveryCodesLeft }) }
    },

    async 'POST /session/passkey'({ caller }) {
      if (party === undefined)
        throw new Problem('refused', 'Passkeys need https, or the address localhost. Use a code.')
      const stored = await selectPasskeys(db, caller)
      return {
        challenge: await putChallenge(db, vault, caller, 'passkey', clock.now()),
        rpId: party.rpId,
        timeout: CHALLENGE_MS,
        userVerification: 'required',
        allowCredentials: stored.map(({ passkey_id: id, transports }) => {
          return { type: 'public-key' as const, id, transports: [...transports] }
        }),
      }
    },
  }
}
