import { randomBytes } from 'node:crypto'
import { passwordMatches } from '../password.ts'
import { Problem } from '../problem.ts'
import type { Handlers } from '../route.ts'
import { selectUserByEmail } from '../sql.ts'
import type { sessionApi } from './api.ts'
import { type SessionDeps, sessionIdOf } from './find-session.ts'
import { endSession, insertSession } from './sql.ts'

export type SessionHandlerDeps = SessionDeps & {
  readonly mode: 'sandbox' | 'live'
  companyOf(merNo: number): Promise<string>
}

const TOKEN_BYTES = 32

export function createSessionHandlers(deps: SessionHandlerDeps): Handlers<typeof sessionApi> {
  const { db, clock, mode } = deps
  return {
    async 'GET /session'({ caller }) {
      if (caller === undefined) return { mode, registration: false, passkeyOrigin: null }
      const { userId, email, name, merNo, role, permissions } = caller
      const company = await deps.companyOf(merNo)
      const me = {
        userId,
        email,
        name,
        merNo,
        company,
        role,
        permissions: [...permissions],
        language: null,
        factors: [],
      }
      return { mode, registration: false, passkeyOrigin: null, me, next: 'done' }
    },

    async 'POST /session'({ body, browser }) {
      const user = await selectUserByEmail(db, body.email)
      if (user === undefined || !(await passwordMatches(body.password, user.password_hash)))
        throw new Problem('invalid', 'Check your e-mail address and password.')
      const token = randomBytes(TOKEN_BYTES).toString('base64url')
      const at = clock.now()
      const { address, agent } = browser
      const session = { merNo: Number(user.mer_no), sessionId: sessionIdOf(token), userId: user.user_id }
      await db.transaction((tx) => insertSession(tx, { ...session, at, factorAt: at, address, agent }))
      browser.setSession(token)
      return { next: 'done' }
    },

    async 'POST /session/factor'() {
      throw new Problem('refused', 'This is not there yet.')
    },

    async 'POST /session/passkey'() {
      throw new Problem('refused', 'This is not there yet.')
    },

    async 'DELETE /session'({ caller, browser }) {
      await endSession(db, caller.sessionId, clock.now())
      browser.setSession(undefined)
      return {}
    },
  }
}
