// Decides who may make somebody an owner of a company. An owner sees the keys and pays out. The rules apply to
// invitations, changes of a role, enabling a disabled owner, and an operator who removes an owner's second factors.
//
// - The step needs the permission `users.owner`, which no role that people define for a company can contain.
// - Nobody makes himself an owner, by asking or by approving.
// - In live a second person approves the step. If one of the company's people asked and the company has another owner,
//   that owner approves. Otherwise an operator approves. In sandbox the step is done at once.
// - The company's contact address gets a mail. If there is no contact address, the other owners get the mail.
//
// Two ways need no second person. An operator with access to the server may use a command, because an owner who lost
// access must be replaceable. The command also writes the audit line and sends the mail. When a company registers
// itself, its owner is the person with the confirmed address. An operator who is not that owner approves the company.

import { askApproval } from '../../money/approvals/ask-approval.ts'
import { isSameMailbox } from '../../money/approvals/may-approve.ts'
import { merchantNames } from '../../money/merchants/list-merchants.ts'
import type { Vault } from '../../platform/base/secret.ts'
import { Problem } from '../../platform/errors/problem.ts'
import { enqueueMail } from '../../platform/mail/enqueue-mail.ts'
import { isMailAddress, mailMoment } from '../../platform/mail/mail.ts'
import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { actorOf, type Caller, isOperator, type PeopleDeps } from '../roles/caller.ts'
import { PLATFORM } from '../roles/permissions.ts'
import { lockActiveWithRole, selectWithRole } from '../users/store-users.ts'
import { selectDetails } from './sql.ts'

export type OwnerStep = 'invite' | 'change-role' | 'enable' | 'reset-factor'

type OwnerChange = {
  readonly step: OwnerStep
  readonly merNo: number
  readonly email: string
  readonly name: string
  readonly language: string | null
  /** The person's id. An invitation creates the person under this id. */
  readonly userId: string
  /** The version of the person that the caller saw. Missing for an invitation. */
  readonly version?: number
  readonly reason?: string
}

/**
 * True if the rules for owners apply to the step. `role` is the role after the step. A company's own people may remove
 * each other's lost factors without approval.
 */
export function isOwnerStep(caller: Caller, step: OwnerStep, merNo: number, role: string): boolean {
  return merNo !== PLATFORM && role === 'owner' && (step !== 'reset-factor' || isOperator(caller))
}

const reasons: Readonly<Record<OwnerStep, string>> = {
  invite: 'A new owner',
  'change-role': 'A new owner',
  enable: 'A disabled owner is enabled again',
  'reset-factor': 'An owner lost the second factors',
}

/**
 * Asks for an approval if the step needs one, and returns the approval's id. Undefined if the step can be done at once.
 */
export async function askForOwner(
  tx: Tx,
  { mode, clock }: Pick<PeopleDeps, 'mode' | 'clock'>,
  caller: Caller,
  change: OwnerChange,
): Promise<string | undefined> {
  const { step, merNo, email, name, userId, language, version, reason = reasons[step] } = change
  requireMayMakeOwner(caller, email)
  if (mode === 'sandbox') return undefined
  const askedAs = isOperator(caller) ? 'operator' : 'company'
  const action = {
    step,
    name,
    userId,
    askedAs,
    ...(language !== null && { language }),
    ...(version !== undefined && { version: String(version) }),
  }
  const owners = await lockActiveWithRole(tx, merNo, 'owner')
  const others = owners.filter((one) => one !== caller.userId && one !== userId)
  const approval = await askApproval(tx, {
    merNo,
    decider: isOperator(caller) || others.length === 0 ? 'platform' : 'merchant',
    kind: 'owner',
    subject: email,
    action,
    money: undefined,
    reason,
    actor: actorOf(caller),
    at: clock.now(),
  })
  return approval.approvalId
}

function requireMayMakeOwner({ permissions, email: own }: Caller, email: string): void {
  if (!permissions.has('users.owner'))
    throw new Problem('not-allowed', 'Your role does not allow you to make owners. Ask somebody who may.')
  if (isSameMailbox(own, email))
    throw new Problem('not-allowed', 'You cannot make yourself an owner. Ask somebody else.')
}

/** Refuses if the caller is an owner of the company, because operators may not approve their own companies. */
export async function requireNotOwner(db: Queryable, caller: Caller, merNo: number): Promise<void> {
  const owners = await selectWithRole(db, merNo, 'owner')
  if (owners.some(({ email }) => isSameMailbox(caller.email, email)))
    throw new Problem('not-allowed', 'You are an owner of this company. Ask another operator.')
}

type OwnerMade = {
  readonly merNo: number
  readonly email: string
  readonly step: OwnerStep
  /** The names of the people behind the step: who asked for it and, if needed, who approved it. */
  readonly by: readonly string[]
  readonly now: Date
}

export async function mailOwnerMade(tx: Tx, vault: Vault, made: OwnerMade): Promise<void> {
  const { merNo, email: person, step: what, by, now } = made
  const { email: contact } = await selectDetails(tx, merNo)
  const owners = (await selectWithRole(tx, merNo, 'owner')).filter(({ email }) => email !== person)
  const readers = isMailAddress(contact)
    ? [{ email: contact, language: null }]
    : owners.filter(({ state, email }) => state === 'active' && isMailAddress(email))
  const company = (await merchantNames(tx, [merNo])).get(merNo) ?? String(merNo)
  const values = { company, person, what, by: by.join(', '), at: mailMoment(now) }
  for (const { email: to, language } of readers)
    await enqueueMail(tx, vault, { merNo, to, template: 'owner-made', language, values, now })
}
