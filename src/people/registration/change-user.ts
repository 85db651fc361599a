// Changes to a person's role or state, and the removal of lost second factors. Each change writes a line of the audit
// log. Each change ends the person's sessions, except enabling a disabled person, who has none. Callers first lock the
// person's row, by `lockPerson`.
import type { Actor, AuditEntry } from '../../platform/audit-log/entry.ts'
import { writeAudit } from '../../platform/audit-log/write-entry.ts'
import type { Vault } from '../../platform/base/secret.ts'
import { Problem } from '../../platform/errors/problem.ts'
import { enqueueMail } from '../../platform/mail/enqueue-mail.ts'
import { mailMoment } from '../../platform/mail/mail.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import { removeAllFactors } from '../factors/enrol-factor.ts'
import { requireNotLast, topRole } from '../roles/granting.ts'
import { endAllSessions } from '../sessions/end-sessions.ts'
import { deleteLinks } from '../users/links.ts'
import {
  lockActiveWithRole,
  lockUser,
  personOf,
  type UserRow,
  updateRole,
  updateState,
} from '../users/store-users.ts'

/**
 * Locks the rows of all active people with the top role, then the row of the person. This order prevents a deadlock of
 * two transactions in which people remove each other.
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
  await endAllSessions(tx, person, change.now)
  await log(tx, user, 'user.change-role', change, { before: { role: user.role }, after: { role } })
}

export async function disableUser(tx: Tx, user: UserRow, change: Change): Promise<void> {
  const person = personOf(user)
  if (user.state === 'disabled') throw new Problem('refused', 'This person is disabled already.')
  if (user.state === 'active') await requireNotLast(tx, person.merNo, person.userId, user.role)
  await updateState(tx, person, 'disabled')
  await deleteLinks(tx, person)
  await endAllSessions(tx, person, change.now)
  await log(tx, user, 'user.disable', change, { before: { state: user.state }, after: { state: 'disabled' } })
}

/** Invites a disabled person again. The caller sends the link by which the person sets a password. */
export async function enableUser(tx: Tx, user: UserRow, change: Change): Promise<void> {
  requireDisabled(user)
  await updateState(tx, personOf(user), 'invited')
  await log(tx, user, 'user.enable', change, { before: { state: 'disabled' }, after: { state: 'invited' } })
}

export function requireDisabled({ state }: UserRow): void {
  if (state !== 'disabled') throw new Problem('refused', 'This person is not disabled.')
}

/** Removes a person's second factors. Only an active person gets a mail, because other addresses may be unconfirmed. */
export async function resetFactor(tx: Tx, vault: Vault, user: UserRow, change: Change): Promise<void> {
  const person = personOf(user)
  await removeAllFactors(tx, person)
  await endAllSessions(tx, person, change.now)
  await log(tx, user, 'user.reset-factor', change, {})
  if (user.state !== 'active') return
  const { actor, now } = change
  const mail = { merNo: person.merNo, to: user.email, language: user.language, now }
  const values = { what: 'the second factors (removed: all)', by: actor.name, at: mailMoment(now) }
  await enqueueMail(tx, vault, { ...mail, template: 'account-changed', values })
}

type What = Pick<AuditEntry, 'before' | 'after'>

function log(tx: Tx, user: UserRow, action: string, change: Change, what: What): Promise<void> {
  const { actor, now: at, reason } = change
  const entry = { merNo: Number(user.mer_no), at, actor, action, subject: user.email, ...what }
  return writeAudit(tx, { ...entry, ...(reason !== undefined && { reason }) })
}
