// The commands about people. An operator with access to the server needs no permission, so that the first operator can
// be created and a lost factor can be replaced.
import { merchantNames } from '../../money/merchants/list-merchants.ts'
import type { Actor } from '../../platform/audit-log/entry.ts'
import { writeAudit } from '../../platform/audit-log/write-entry.ts'
import type { Vault } from '../../platform/base/secret.ts'
import { OperatorRefusal } from '../../platform/errors/catalogue.ts'
import { Problem } from '../../platform/errors/problem.ts'
import { isMailAddress } from '../../platform/mail/mail.ts'
import type { Db, Queryable, Tx } from '../../platform/postgres/db.ts'
import { permissionsOf } from '../roles/granting.ts'
import { merchantRoles, operatorRoles, PLATFORM } from '../roles/permissions.ts'
import { makeLink } from '../users/links.ts'
import { createUser, selectUsers, selectUsersByEmail, type UserRow } from '../users/store-users.ts'
import { type Change, disableUser, lockPerson, resetFactor } from './change-user.ts'
import { mailOwnerMade } from './owners.ts'

type CreateByCommand = {
  readonly email: string
  readonly role: string
  readonly merNo: number
  readonly baseUrl: string
  readonly actor: Actor
  readonly now: Date
}

/** Creates a person and a link. A person who exists but has not used the link yet gets only a new link. */
export function createByCommand(
  db: Db,
  vault: Vault,
  wanted: CreateByCommand,
): Promise<{ userId: string; link: string }> {
  const { role, merNo, baseUrl, actor, now } = wanted
  const email = wanted.email.trim().toLowerCase()
  if (!isMailAddress(email)) throw new OperatorRefusal(`${wanted.email} is not an e-mail address`)
  return db.transaction(async (tx) => {
    await requireRole(tx, merNo, role)
    const found = await selectUsersByEmail(tx, email)
    const known = found.find(({ mer_no }) => Number(mer_no) === merNo)
    const isTaken = found.some(({ state }) => state === 'active')
    if (isTaken || (known !== undefined && !isSameInvitation(known, role)))
      throw new OperatorRefusal(`${email} has an account already: use another address, or see "user list"`)
    const userId = known?.user_id ?? (await createUser(tx, { merNo, email, name: email, role, now }))
    const link = await makeLink(tx, baseUrl, { merNo, userId, purpose: 'invitation', now })
    await writeAudit(tx, { merNo, at: now, actor, action: 'user.create', subject: email, after: { role } })
    if (merNo !== PLATFORM && role === 'owner')
      await mailOwnerMade(tx, vault, { merNo, email, step: 'invite', by: [actor.name], now })
    return { userId, link }
  })
}

function isSameInvitation({ role, state }: UserRow, wanted: string): boolean {
  return state === 'invited' && role === wanted
}

async function requireRole(tx: Tx, merNo: number, role: string): Promise<void> {
  if (merNo !== PLATFORM && !(await merchantNames(tx, [merNo])).has(merNo))
    throw new OperatorRefusal(`there is no merchant ${merNo}`)
  if ((await permissionsOf(tx, merNo, role)) !== undefined) return
  const names = Object.keys(merNo === PLATFORM ? operatorRoles : merchantRoles).join(', ')
  const whose = merNo === PLATFORM ? 'operators' : "a merchant's people"
  throw new OperatorRefusal(`${role} is not a role: ${whose} have ${names}, or a role that they defined`)
}

/** Identifies a person. `merNo` is needed only if several companies have invited the address. */
export type Whom = { readonly email: string; readonly merNo: number | undefined }

export function disableByCommand(db: Db, whom: Whom, change: Change): Promise<void> {
  return changeByCommand(db, whom, (tx, user) => disableUser(tx, user, change))
}

export function resetFactorByCommand(db: Db, vault: Vault, whom: Whom, change: Change): Promise<void> {
  return changeByCommand(db, whom, async (tx, user) => {
    await resetFactor(tx, vault, user, change)
    const { mer_no, email, role } = user
    const made = { merNo: Number(mer_no), email, step: 'reset-factor', by: [change.actor.name] } as const
    if (made.merNo !== PLATFORM && role === 'owner')
      await mailOwnerMade(tx, vault, { ...made, now: change.now })
  })
}

async function changeByCommand(
  db: Db,
  whom: Whom,
  work: (tx: Tx, user: UserRow) => Promise<void>,
): Promise<void> {
  try {
    await db.transaction(async (tx) => {
      const found = await findPerson(tx, whom)
      const user = await lockPerson(tx, Number(found.mer_no), found.user_id)
      if (user === undefined) throw new OperatorRefusal(`${whom.email} has no account`)
      await work(tx, user)
    })
  } catch (error) {
    if (error instanceof Problem) throw new OperatorRefusal(error.message)
    throw error
  }
}

/** Finds a person. A person who can sign in with the address takes precedence over invitations of other companies. */
async function findPerson(tx: Tx, { email, merNo }: Whom): Promise<UserRow> {
  const all = await selectUsersByEmail(tx, email)
  const found = all.filter(({ mer_no }) => merNo === undefined || Number(mer_no) === merNo)
  const [first, second] = found
  if (first === undefined) throw new OperatorRefusal(`${email} has no account`)
  const meant = second === undefined ? first : found.find(({ state }) => state === 'active')
  if (meant !== undefined) return meant
  const numbers = found.map(({ mer_no }) => mer_no).join(', ')
  throw new OperatorRefusal(`several companies have invited ${email}: choose one with --merno (${numbers})`)
}

const LISTED = 1_000

export async function listByCommand(db: Queryable, merNo: number) {
  const rows = await selectUsers(db, merNo, '', LISTED)
  return rows.map(({ user_id: userId, email, name, role, state, ...row }) => {
    const hasFactor = row.totp_secret !== null || row.has_passkey
    const signedInAt = row.signed_in_at?.toISOString() ?? null
    return { userId, email, name, role, state, hasFactor, signedInAt }
  })
}
