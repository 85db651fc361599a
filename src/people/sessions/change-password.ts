// Changing a password, and asking for a link when it was forgotten.
import { writeAudit } from '../../audit-log/write-entry.ts'
import type { Vault } from '../../base/secret.ts'
import { enqueueMail } from '../../mail/enqueue-mail.ts'
import { mailMoment } from '../../mail/mail.ts'
import type { Tx } from '../../postgres/db.ts'
import { actorOf, type Caller } from '../caller.ts'
import { hashPassword, passwordMatches } from '../password/password.ts'
import { checkPassword } from '../password/password-rules.ts'
import type { PeopleDeps } from '../people-deps.ts'
import { Problem } from '../problem.ts'
import type { Browser } from '../route.ts'
import { makeToken } from '../session/begin-session.ts'
import { sessionIdOf } from '../session/find-session.ts'
import { endSessionsOf, renewSession } from '../session/sql.ts'
import { takeTries } from '../session/throttle.ts'
import { lockUser, selectActiveUser, selectUser, updatePassword } from '../sql.ts'
import { makeLink } from '../users/links.ts'

/** All other sessions end, and this one goes on under a new token. */
export async function changePassword(
  deps: PeopleDeps,
  caller: Caller,
  { current, password }: { current: string; password: string },
  browser: Browser,
): Promise<void> {
  const { db, vault, clock } = deps
  const { merNo, userId, email, name } = caller
  const tries = await takeTries(deps, { factor: `${merNo}:${userId}` })
  const user = await selectUser(db, merNo, userId)
  const stored = user?.password_hash ?? ''
  if (!(await passwordMatches(current, stored)))
    throw new Problem('invalid', 'This is not your password.', { current: 'This is not your password.' })
  await tries.giveBack()
  checkPassword(password, [email, name, await deps.companyOf(merNo)])
  const hash = await hashPassword(password)
  const token = makeToken()
  await db.transaction(async (tx) => {
    const at = clock.now()
    const locked = await lockUser(tx, merNo, userId)
    if (locked?.password_hash !== stored)
      throw new Problem('conflict', 'Your password was changed meanwhile. Sign in again.')
    await updatePassword(tx, caller, hash)
    const renewed = { sessionId: sessionIdOf(token), factorAt: caller.factorAt ?? at, seenAt: at }
    await renewSession(tx, caller.sessionId, renewed)
    await endSessionsOf(tx, caller, at, renewed.sessionId)
    await writeAudit(tx, {
      merNo,
      at,
      actor: actorOf(caller),
      action: 'user.change-password',
      subject: email,
    })
    await mailPasswordChanged(tx, vault, caller, at)
  })
  browser.setSession(token)
}

type Changed = { readonly merNo: number; readonly email: string; readonly language: string | null }

/** Somebody else may have done it. */
export async function mailPasswordChanged(
  tx: Tx,
  vault: Vault,
  { merNo, email: to, language }: Changed,
  now: Date,
): Promise<void> {
  const values = { at: mailMoment(now) }
  await enqueueMail(tx, vault, { merNo, to, template: 'password-changed', language, values, now })
}

/** Sends a link if the address has an account that can sign in. */
export async function sendResetLink({ db, vault, clock, baseUrl }: PeopleDeps, email: string): Promise<void> {
  const user = await selectActiveUser(db, email)
  if (user === undefined) return
  const merNo = Number(user.mer_no)
  const now = clock.now()
  await db.transaction(async (tx) => {
    const link = await makeLink(tx, baseUrl, { merNo, userId: user.user_id, purpose: 'reset', now })
    const { email: to, language } = user
    await enqueueMail(tx, vault, { merNo, to, template: 'reset', language, values: {}, now, link })
  })
}
