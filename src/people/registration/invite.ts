import { writeAudit } from '../../audit-log/write-entry.ts'
import { enqueueMail } from '../../mail/enqueue-mail.ts'
import { isMailAddress } from '../../mail/mail.ts'
import { isTaken, type Tx } from '../../postgres/db.ts'
import { actorOf, type Caller } from '../caller.ts'
import { createUser } from '../create-user.ts'
import type { FieldText } from '../field-texts.ts'
import type { PeopleDeps } from '../people-deps.ts'
import { atField, type Problem } from '../problem.ts'
import { takeTries } from '../session/throttle.ts'
import { selectActiveUser, type UserRow } from '../sql.ts'
import { requireMayGrant } from './granting.ts'
import { makeLink } from './links.ts'

export type Invitation = { readonly email: string; readonly name: string; readonly role: string }

/** Returns the new person's id. Nothing in it or in its time tells whether the address has an account in another company. */
export async function inviteUser(
  deps: PeopleDeps,
  caller: Caller,
  merNo: number,
  { email: typed, name, role }: Invitation,
): Promise<string> {
  const email = typed.trim().toLowerCase()
  if (!isMailAddress(email)) throw badAddress('Enter an e-mail address such as name@company.example.')
  await takeInvitation(deps, merNo, email)
  const company = await deps.companyOf(merNo)
  try {
    return await deps.db.transaction(async (tx) => {
      const now = deps.clock.now()
      await requireMayGrant(tx, caller, merNo, role)
      const { language } = caller
      const userId = await createUser(tx, { merNo, email, name, role, language, now })
      await sendInvitation(tx, deps, { merNo, userId, email, role, language }, company)
      const entry = { merNo, at: now, actor: actorOf(caller), subject: email, after: { name, role } }
      await writeAudit(tx, { ...entry, action: 'user.invite' })
      return userId
    })
  } catch (error) {
    if (isTaken(error, 'users_email_in_company'))
      throw badAddress('Somebody of the company has this address already.')
    throw error
  }
}

/** Before each mail that invites. */
export async function takeInvitation(deps: PeopleDeps, merNo: number, email: string): Promise<void> {
  await takeTries(deps, { 'invited-by': String(merNo), 'mail-to': email })
}

function badAddress(text: FieldText): Problem {
  return atField('email', text)
}

type Invited = {
  readonly merNo: number
  readonly userId: string
  readonly email: string
  readonly role: string
  readonly language: string | null
}

/**
 * Only the mail says that the address has an account in another company. A link is made all the same: it replaces an earlier
 * one, and takes its time.
 */
export async function sendInvitation(
  tx: Tx,
  { vault, clock, baseUrl }: PeopleDeps,
  { merNo, userId, email, role, language }: Invited,
  company: string,
): Promise<void> {
  const now = clock.now()
  const link = await makeLink(tx, baseUrl, { merNo, userId, purpose: 'invitation', now })
  const account = await selectActiveUser(tx, email)
  const mail = { merNo, to: email, values: { company, role }, now }
  if (account === undefined) await enqueueMail(tx, vault, { ...mail, template: 'invitation', language, link })
  else await enqueueMail(tx, vault, { ...mail, template: 'invitation-taken', language: account.language })
}

export function invitedOf({ mer_no, user_id: userId, email, role, language }: UserRow): Invited {
  return { merNo: Number(mer_no), userId, email, role, language }
}
