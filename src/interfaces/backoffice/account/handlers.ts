import {
  beginPasskey,
  beginTotp,
  confirmPasskey,
  confirmTotp,
  describeFactors,
  removePasskey,
  removeTotp,
  renewRecoveryCodes,
} from '../../../people/factors/enrol-factor.ts'
import { totpUri } from '../../../people/factors/totp.ts'
import { describeLink, useLink } from '../../../people/registration/use-link.ts'
import { actorOf, type PeopleDeps } from '../../../people/roles/caller.ts'
import { changePassword, sendResetLink } from '../../../people/sessions/change-password.ts'
import { endOneSession, endOtherSessions, listSessions } from '../../../people/sessions/end-sessions.ts'
import { takeTries } from '../../../people/sessions/throttle.ts'
import { updateProfile } from '../../../people/users/store-users.ts'
import { writeAudit } from '../../../platform/audit-log/write-entry.ts'
import { qrPicture } from '../../../platform/pages/qr-picture.ts'
import type { Handlers } from '../route.ts'
import type { accountApi } from './api.ts'

export type AccountDeps = PeopleDeps & {
  readonly log: { error(context: object, line: string): void }
}

export function createAccountHandlers(deps: AccountDeps): Handlers<typeof accountApi> {
  const { db, clock, log } = deps
  const issuer = deps.mode === 'sandbox' ? 'Tollgate sandbox' : 'Tollgate'
  return {
    async 'GET /account'({ caller }) {
      const { email, name, language, factorRequired, factors } = caller
      const { passkeys, recoveryCodesLeft } = await describeFactors(db, caller)
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
        recoveryCodesLeft,
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
      const rows = await listSessions(deps, caller)
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
      await endOneSession(deps, caller, params.sessionId)
      if (params.sessionId === caller.sessionId) browser.setSession(undefined)
      return {}
    },
    async 'DELETE /account/sessions'({ caller }) {
      return { ended: await endOtherSessions(deps, caller) }
    },

    async 'POST /account/forgotten'({ body, browser }) {
      await takeTries(deps, { 'mail-from': browser.address, 'mail-to': body.email })
      // The reply does not wait for the mail. Otherwise the time of the reply would show whether the address has an
      // account.
      sendResetLink(deps, body.email).catch((err) => log.error({ err }, 'a reset link could not be sent'))
      return {}
    },

    'POST /account/link': ({ body, browser }) => describeLink(deps, body.token, browser),
    async 'POST /account/link/use'({ body, browser }) {
      return { next: await useLink(deps, body, browser) }
    },
  }
}

/** Returns the QR code as an SVG with its namespace, so that a page can show it as an image. */
function pictureOf(uri: string): string {
  const { html } = qrPicture(uri, 'QR code')
  return html.replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" ')
}
