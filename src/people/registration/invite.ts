// An invited person gets an account without a password, and a mail with a link to set a password. The invitation of an
// owner may first need the approval of a second person (owners.ts).
import { writeAudit } from '../../platform/audit-log/write-entry.ts'
import { makeId } from '../../platform/base/id.ts'
import type { FieldText } from '../../platform/errors/page-texts.ts'
import { atField, type Problem } from '../../platform/errors/problem.ts'
import { enqueueMail } from '../../platform/mail/enqueue-mail.ts'
import { isMailAddress } from '../../platform/mail/mail.ts'
import { isTaken, type Tx } from '../../platform/postgres/db.ts'
import { actorOf, type Caller, type PeopleDeps } from '../roles/caller.ts'
import { requireMayGrant } from '../roles/granting.ts'
import { takeTries } from '../sessions/throttle.ts'
import { makeLink } from '../users/links.ts'
import {
  createUser,
  type Person,
  personOf,
  selectActiveUser,
  selectUsersByEmail,
  type UserRow,
} from '../users/store-users.ts'
import type { Change } from './change-user.ts'
import { askForOwner, isOwnerStep, mailOwnerMade } from './owners.ts'

type Invitation = { readonly email: string; readonly name: string; readonly role: string }

type Invited = {
  readonly userId: string
  /** Set if a second person must approve the invitation before the person is created. */
  readonly approvalId?: string
}

/**
 * Invites a person. Neither the result nor the duration reveals whether the address has an account in another company.
 */
export async function inviteUser(
  deps: PeopleDeps,
  caller: Caller,
  merNo: number,
  { email: typed, name, role }: Invitation,
): Promise<Invited> {
  const email = typed.trim().toLowerCase()
  if (!isMailAddress(email)) throw badAddress('Enter an e-mail address such as name@company.example.')
  await takeInvitation(deps, merNo, email)
  const company = await deps.companyOf(merNo)
  try {
    return await deps.db.transaction(async (tx) => {
      const now = deps.clock.now()
      await requireMayGrant(tx, caller, merNo, role)
      const { language } = caller
      const userId = makeId('U', merNo, now)
      const wanted = { merNo, userId, email, name, role, language }
      const by = { actor: actorOf(caller), now }
      const isOwners = isOwnerStep(caller, 'invite', merNo, role)
      if (isOwners) {
        if ((await selectUsersByEmail(tx, email)).some(({ mer_no }) => Number(mer_no) === merNo))
          throw badAddress(TAKEN)
        const approvalId = await askForOwner(tx, deps, caller, { step: 'invite', ...wanted })
        if (approvalId !== undefined) return { userId, approvalId }
      }
      await createInvited(tx, deps, wanted, company, by)
      if (isOwners)
        await mailOwnerMade(tx, deps.vault, { merNo, email, step: 'invite', by: [caller.email], now })
      return { userId }
    })
  } catch (error) {
    if (isTaken(error, 'users_email_in_company')) throw badAddress(TAKEN)
    throw error
  }
}

const TAKEN: FieldText = 'Somebody of the company has this address already.'

export async function createInvited(
  tx: Tx,
  deps: PeopleDeps,
  wanted: Invitation & InvitedPerson,
  company: string,
  { actor, now, reason }: Change,
): Promise<void> {
  const { merNo, email, name, role } = wanted
  await createUser(tx, { ...wanted, now })
  await sendInvitation(tx, deps, wanted, company)
  const entry = { merNo, at: now, actor, subject: email, after: { name, role } }
  await writeAudit(tx, { ...entry, action: 'user.invite', ...(reason !== undefined && { reason }) })
}

/** Refuses if too many invitations were sent. Callers call this function before each mail with an invitation. */
export async function takeInvitation(deps: PeopleDeps, merNo: number, email: string): Promise<void> {
  await takeTries(deps, { 'invited-by': String(merNo), 'mail-to': email })
}

function badAddress(text: FieldText): Problem {
  return atField('email', text)
}

type InvitedPerson = Person & {
  readonly email: string
  readonly role: string
  readonly language: string | null
}

/**
 * Sends the invitation. Only the mail reveals whether the address has an account in another company. A link is always
 * made, so that the duration reveals nothing.
 */
export async function sendInvitation(
  tx: Tx,
  { vault, clock, baseUrl }: PeopleDeps,
  { merNo, userId, email, role, language }: InvitedPerson,
  company: string,
): Promise<void> {
  const now = clock.now()
  const link = await makeLink(tx, baseUrl, { merNo, userId, purpose: 'invitation', now })
  const account = await selectActiveUser(tx, email)
  const mail = { merNo, to: email, values: { company, role }, now }
  if (account === undefined) await enqueueMail(tx, vault, { ...mail, template: 'invitation', language, link })
  else await enqueueMail(tx, vault, { ...mail, template: 'invitation-taken', language: account.language })
}

export function invitedOf(user: UserRow): InvitedPerson {
  const { email, role, language } = user
  return { ...personOf(user), email, role, language }
}
