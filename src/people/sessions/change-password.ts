// People change their password, or ask for a link after they forgot it.
import { writeAudit } from '../../platform/audit-log/write-entry.ts'
import type { Vault } from '../../platform/base/secret.ts'
import { Problem } from '../../platform/errors/problem.ts'
import { enqueueMail } from '../../platform/mail/enqueue-mail.ts'
import { mailMoment } from '../../platform/mail/mail.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import { hashPassword, passwordMatches } from '../passwords/password.ts'
import { checkPassword } from '../passwords/password-rules.ts'
import { type Caller, ownLine, type PeopleDeps } from '../roles/caller.ts'
import { makeLink } from '../users/links.ts'
import { lockUser, personOf, selectActiveUser, selectUser, updatePassword } from '../users/store-users.ts'
import { type Browser, makeToken } from './begin-session.ts'
import { sessionIdOf } from './find-session.ts'
import { endSessionsOf, renewSession } from './sql.ts'
import { takeTries } from './throttle.ts'

/** Changes the password and ends all other sessions. The current session continues under a new token. */
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
    await writeAudit(tx, { ...ownLine(caller, at), action: 'user.change-password' })
    await mailPasswordChanged(tx, vault, caller, at)
  })
  browser.setSession(token)
}

type Changed = { readonly merNo: number; readonly email: string; readonly language: string | null }

/** Mails the person about the change, because somebody else may have changed the password. */
export async function mailPasswordChanged(
  tx: Tx,
  vault: Vault,
  { merNo, email: to, language }: Changed,
  now: Date,
): Promise<void> {
  const values = { at: mailMoment(now) }
  await enqueueMail(tx, vault, { merNo, to, template: 'password-changed', language, values, now })
}

export async function sendResetLink({ db, vault, clock, baseUrl }: PeopleDeps, email: string): Promise<void> {
  const user = await selectActiveUser(db, email)
  if (user === undefined) return
  const person = personOf(user)
  const now = clock.now()
  await db.transaction(async (tx) => {
    const link = await makeLink(tx, baseUrl, { ...person, purpose: 'reset', now })
    const { email: to, language } = user
    const mail = { merNo: person.merNo, to, language, values: {}, now, link }
    await enqueueMail(tx, vault, { ...mail, template: 'reset' })
  })
}
