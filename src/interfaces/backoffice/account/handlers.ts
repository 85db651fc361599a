import { writeAudit } from '../../audit-log/write-entry.ts'
import { qrPicture } from '../../pages/qr-picture.ts'
import { actorOf } from '../caller.ts'
import { countRecoveryCodes, selectPasskeys } from '../factors/sql.ts'
import { totpUri } from '../factors/totp.ts'
import type { PeopleDeps } from '../people-deps.ts'
import { Problem } from '../problem.ts'
import type { Handlers } from '../route.ts'
import { IDLE_MS, LONGEST_MS } from '../session/find-session.ts'
import { endOwnSession, endSessionsOf, selectSessionsOf } from '../session/sql.ts'
import { takeTries } from '../session/throttle.ts'
import { updateProfile } from '../sql.ts'
import type { accountApi } from './api.ts'
import {
  beginPasskey,
  beginTotp,
  confirmPasskey,
  confirmTotp,
  removePasskey,
  removeTotp,
  renewRecoveryCodes,
} from './enrol.ts'
import { changePassword, sendResetLink } from './password.ts'
import { describeLink, useLink } from './use-link.ts'

export type AccountDeps = PeopleDeps & {
  readonly log: { error(context: object, line: string): void }
}

export function createAccountHandlers(deps: AccountDeps): Handlers<typeof accountApi> {
  const { db, clock, log } = deps
  const issuer = deps.mode === 'sandbox' ? 'Tollgate sandbox' : 'Tollgate'
  return {
    async 'GET /account'({ caller }) {
      const { email, name, language, factorRequired, factors } = caller
      const passkeys = await selectPasskeys(db, caller)
      return {
        email,
        name,
        language: language === 'en' || language === 'zh' ? language : null,
        factorRequired,
        totp: factors.includes('totp'),
        passkeys: passkeys.map((row) => ({
          passkeyId: row.passkey_id,
          name: row.name,
          createdAt: row.created_at.toISOString(),
          usedAt: row.used_at?.toISOString() ?? null,
        })),
        recoveryCodesLeft: await countRecoveryCodes(db, caller),
      }
    },

    async 'PUT /account'({ caller, body }) {
      const { merNo, email, name, language } = caller
      await db.transaction(async (tx) => {
        await updateProfile(tx, caller, body)
        const entry = { merNo, at: clock.now(), actor: actorOf(caller), subject: email }
        await writeAudit(tx, {
          ...entry,
          action: 'user.edit-profile',
          before: { name, language },
          after: body,
        })
      })
      return {}
    },

    async 'PUT /account/password'({ caller, body, browser }) {
      await changePassword(deps, caller, body, browser)
      return {}
    },

    async 'POST /account/totp'({ caller }) {
      const secret = await beginTotp(deps, caller)
      const uri = totpUri(secret, caller.email, issuer)
      return { secret, uri, qrSvg: pictureOf(uri) }
    },
    'POST /account/totp/confirm': ({ caller, body, browser }) =>
      confirmTotp(deps, caller, body.code, browser),
    async 'DELETE /account/totp'({ caller }) {
      await removeTotp(deps, caller)
      return {}
    },

    'POST /account/passkeys/challenge': ({ caller }) => beginPasskey(deps, caller),
    'POST /account/passkeys': ({ caller, body, browser }) => confirmPasskey(deps, caller, body, browser),
    async 'DELETE /account/passkeys/:passkeyId'({ caller, params }) {
      await removePasskey(deps, caller, params.passkeyId)
      return {}
    },

    async 'POST /account/recovery-codes'({ caller }) {
      return { recoveryCodes: await renewRecoveryCodes(deps, caller) }
    },

    async 'GET /account/sessions'({ caller }) {
      const ago = (ms: number) => new Date(clock.now().getTime() - ms)
      const lasting = { seenAfter: ago(IDLE_MS), createdAfter: ago(LONGEST_MS) }
      const rows = await selectSessionsOf(db, caller, lasting)
      return {
        rows: rows.map(({ session_id: sessionId, created_at, seen_at, address, agent }) => ({
          sessionId,
          isCurrent: sessionId === caller.sessionId,
          createdAt: created_at.toISOString(),
          seenAt: seen_at.toISOString(),
          address,
          agent,
        })),
      }
    },

    async 'DELETE /account/sessions/:sessionId'({ caller, params, browser }) {
      const { merNo, email } = caller
      await db.transaction(async (tx) => {
        const at = clock.now()
        if (!(await endOwnSession(tx, caller, params.sessionId, at)))
          throw new Problem('not-found', 'This session has ended already.')
        await writeAudit(tx, { merNo, at, actor: actorOf(caller), action: 'session.end', subject: email })
      })
      if (params.sessionId === caller.sessionId) browser.setSession(undefined)
      return {}
    },

    async 'DELETE /account/sessions'({ caller }) {
      const { merNo, email } = caller
      return db.transaction(async (tx) => {
        const at = clock.now()
        const ended = await endSessionsOf(tx, caller, at, caller.sessionId)
        const entry = { merNo, at, actor: actorOf(caller), subject: email, after: { ended } }
        await writeAudit(tx, { ...entry, action: 'session.end-others' })
        return { ended }
      })
    },

    async 'POST /account/forgotten'({ body, browser }) {
      await takeTries(deps, { 'mail-from': browser.address, 'mail-to': body.email })
      // Not awaited: the time of the reply must not tell whether the address has an account.
      sendResetLink(deps, body.email).catch((err) => log.error({ err }, 'a reset link could not be sent'))
      return {}
    },

    'POST /account/link': ({ body, browser }) => describeLink(deps, body.token, browser),
    async 'POST /account/link/use'({ body, browser }) {
      return { next: await useLink(deps, body, browser) }
    },
  }
}

/** Complete by itself, so that a page can show it as an image. */
function pictureOf(uri: string): string {
  const { html } = qrPicture(uri, 'QR code')
  return html.replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" ')
}
