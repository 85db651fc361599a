// What operators do to people on the command line. It needs no permission but access to the server, so that the first
// operator can be created and a lost factor replaced.
import type { Actor } from '../../audit-log/entry.ts'
import { writeAudit } from '../../audit-log/write-entry.ts'
import type { Vault } from '../../base/secret.ts'
import { OperatorRefusal } from '../../errors/catalogue.ts'
import { isMailAddress } from '../../mail/mail.ts'
import { merchantNames } from '../../merchants/merchant-names.ts'
import type { Db, Queryable, Tx } from '../../postgres/db.ts'
import { createUser } from '../create-user.ts'
import { merchantRoles, operatorRoles, PLATFORM } from '../permissions.ts'
import { Problem } from '../problem.ts'
import { selectUsers, selectUsersByEmail, type UserRow } from '../sql.ts'
import { type Change, disableUser, lockPerson, resetFactor } from './change-user.ts'
import { permissionsOf } from './granting.ts'
import { makeLink } from './links.ts'

export type CreateByCommand = {
  readonly email: string
  readonly role: string
  readonly merNo: number
  readonly baseUrl: string
  readonly actor: Actor
  readonly now: Date
}

export type CreatedByCommand = { readonly userId: string; readonly link: string }

/** Again for a person who has not used the link: a new link, and the old one no longer counts. */
export function createByCommand(db: Db, wanted: CreateByCommand): Promise<CreatedByCommand> {
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

/** The merchant is needed only if several have invited the address. */
export type Whom = { readonly email: string; readonly merNo: number | undefined }

export function disableByCommand(db: Db, whom: Whom, change: Change): Promise<void> {
  return changeByCommand(db, whom, (tx, user) => disableUser(tx, user, change))
}

export function resetFactorByCommand(db: Db, vault: Vault, whom: Whom, change: Change): Promise<void> {
  return changeByCommand(db, whom, (tx, user) => resetFactor(tx, vault, user, change))
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

/** Whoever can sign in is meant, also if other companies have invited the address. */
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

export type ListedUser = {
  readonly userId: string
  readonly email: string
  readonly name: string
  readonly role: string
  readonly state: UserRow['state']
  readonly hasFactor: boolean
  readonly signedInAt: string | null
}

const LISTED = 1_000

/** The first 1000. */
export async function listByCommand(db: Queryable, merNo: number): Promise<ListedUser[]> {
  const rows = await selectUsers(db, merNo, '', LISTED)
  return rows.map((row) => {
    const { user_id: userId, email, name, role, state } = row
    const hasFactor = row.totp_secret !== null || row.has_passkey
    return {
      userId,
      email,
      name,
      role,
      state,
      hasFactor,
      signedInAt: row.signed_in_at?.toISOString() ?? null,
    }
  })
}
