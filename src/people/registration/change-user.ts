// Changes to a person. Each locks the person's row first, ends the sessions that no longer fit, and leaves a line in the audit
// log. The command line and the back office use the same ones.
import type { Actor } from '../../audit-log/entry.ts'
import { writeAudit } from '../../audit-log/write-entry.ts'
import type { Vault } from '../../base/secret.ts'
import { enqueueMail } from '../../mail/enqueue-mail.ts'
import { mailMoment } from '../../mail/mail.ts'
import type { Tx } from '../../postgres/db.ts'
import { deleteFactors } from '../factors/sql.ts'
import { Problem } from '../problem.ts'
import { endSessionsOf } from '../session/sql.ts'
import {
  lockActiveWithRole,
  lockUser,
  type UserRow,
  updateRole,
  updateState,
  updateTotpSecret,
} from '../sql.ts'
import { requireNotLast, topRole } from './granting.ts'
import { deleteLinks } from './link-sql.ts'

/**
 * Everybody with the top role is locked before the person: two who remove each other at the same moment must wait, and not
 * for each other.
 */
export async function lockPerson(tx: Tx, merNo: number, userId: string): Promise<UserRow | undefined> {
  await lockActiveWithRole(tx, merNo, topRole(merNo))
  return lockUser(tx, merNo, userId)
}

export type Change = { readonly actor: Actor; readonly now: Date; readonly reason?: string }

export async function changeRole(tx: Tx, user: UserRow, role: string, change: Change): Promise<void> {
  const person = personOf(user)
  if (user.role === role) return
  if (user.state === 'active') await requireNotLast(tx, person.merNo, person.userId, user.role)
  await updateRole(tx, person, role)
  await endSessionsOf(tx, person, change.now)
  await log(tx, user, 'user.change-role', change, { before: { role: user.role }, after: { role } })
}

export async function disableUser(tx: Tx, user: UserRow, change: Change): Promise<void> {
  const person = personOf(user)
  if (user.state === 'disabled') throw new Problem('refused', 'This person is disabled already.')
  if (user.state === 'active') await requireNotLast(tx, person.merNo, person.userId, user.role)
  await updateState(tx, person, 'disabled')
  await deleteLinks(tx, person)
  await endSessionsOf(tx, person, change.now)
  await log(tx, user, 'user.disable', change, { before: { state: user.state }, after: { state: 'disabled' } })
}

/** The person sets a new password by a link, which the caller sends. */
export async function enableUser(tx: Tx, user: UserRow, change: Change): Promise<void> {
  if (user.state !== 'disabled') throw new Problem('refused', 'This person is not disabled.')
  await updateState(tx, personOf(user), 'invited')
  await log(tx, user, 'user.enable', change, { before: { state: 'disabled' }, after: { state: 'invited' } })
}

/** The person is told by mail: whoever did it may not have been asked. An address that nobody has confirmed gets none. */
export async function resetFactor(tx: Tx, vault: Vault, user: UserRow, change: Change): Promise<void> {
  const person = personOf(user)
  await deleteFactors(tx, person)
  await updateTotpSecret(tx, person, null, null)
  await endSessionsOf(tx, person, change.now)
  await log(tx, user, 'user.reset-factor', change, {})
  if (user.state !== 'active') return
  const { actor, now } = change
  const { email: to, language } = user
  const values = { what: 'the second factors (removed: all)', by: actor.name, at: mailMoment(now) }
  await enqueueMail(tx, vault, {
    merNo: person.merNo,
    to,
    template: 'account-changed',
    language,
    values,
    now,
  })
}

function personOf({ mer_no, user_id: userId }: UserRow): { readonly merNo: number; readonly userId: string } {
  return { merNo: Number(mer_no), userId }
}

type What = {
  readonly before?: Readonly<Record<string, unknown>>
  readonly after?: Readonly<Record<string, unknown>>
}

function log(tx: Tx, user: UserRow, action: string, change: Change, what: What): Promise<void> {
  const { actor, now: at, reason } = change
  const entry = { merNo: Number(user.mer_no), at, actor, action, subject: user.email, ...what }
  return writeAudit(tx, { ...entry, ...(reason !== undefined && { reason }) })
}
