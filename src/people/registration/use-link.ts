// A person follows the link of an invitation, a forgotten password or a registration. The link proves that the person
// reads the mails of the address. A person with a second factor must still give the factor.
import { writeAudit } from '../../platform/audit-log/write-entry.ts'
import { Problem } from '../../platform/errors/problem.ts'
import { isTaken } from '../../platform/postgres/db.ts'
import { hashPassword } from '../passwords/password.ts'
import { checkPassword } from '../passwords/password-rules.ts'
import { actorOf, type PeopleDeps } from '../roles/caller.ts'
import { type Browser, beginWithPassword, type NextStep } from '../sessions/begin-session.ts'
import { mailPasswordChanged } from '../sessions/change-password.ts'
import { endAllSessions } from '../sessions/end-sessions.ts'
import { takeTries } from '../sessions/throttle.ts'
import { findLink, linkIdOf, takeLink } from '../users/links.ts'
import {
  lockUser,
  personOf,
  selectActiveUser,
  selectUser,
  updatePassword,
  updateProfile,
} from '../users/store-users.ts'
import { confirmCompany } from './register-company.ts'
import { selectUnconfirmed } from './sql.ts'

type LinkSubject = {
  readonly purpose: 'invitation' | 'reset' | 'registration'
  readonly email: string
  readonly name: string
  readonly company: string
}

type Use = { readonly token: string; readonly password: string; readonly name?: string }

export async function describeLink(deps: PeopleDeps, token: string, browser: Browser): Promise<LinkSubject> {
  const tries = await takeTries(deps, { network: browser.address })
  const found = (await describeUserLink(deps, token)) ?? (await describeRegistration(deps, token))
  if (found === undefined) throw usedUp()
  await tries.giveBack()
  return found
}

async function describeUserLink(deps: PeopleDeps, token: string): Promise<LinkSubject | undefined> {
  const { db, clock } = deps
  const link = await findLink(db, token, clock.now())
  const user = link && (await selectUser(db, Number(link.mer_no), link.user_id))
  if (link === undefined || user === undefined || user.state === 'disabled') return undefined
  const account = await selectActiveUser(db, user.email)
  if (account !== undefined && account.user_id !== user.user_id) throw taken()
  const company = await deps.companyOf(Number(link.mer_no))
  return { purpose: link.purpose, email: user.email, name: user.name, company }
}

async function describeRegistration(deps: PeopleDeps, token: string): Promise<LinkSubject | undefined> {
  const found = await selectUnconfirmed(deps.db, linkIdOf(token), deps.clock.now())
  return found && { purpose: 'registration', email: found.email, name: found.contact, company: found.company }
}

export async function useLink(deps: PeopleDeps, use: Use, browser: Browser): Promise<NextStep> {
  const { email, name, company, purpose } = await describeLink(deps, use.token, browser)
  checkPassword(use.password, [email, name, company])
  const hash = await hashPassword(use.password)
  if (purpose === 'registration') return confirmCompany(deps, { token: use.token, hash }, browser)
  try {
    return await setPassword(deps, { ...use, hash }, browser)
  } catch (error) {
    if (isTaken(error, 'users_email_unique')) throw taken()
    throw error
  }
}

function setPassword(
  deps: PeopleDeps,
  use: Use & { readonly hash: string },
  browser: Browser,
): Promise<NextStep> {
  return deps.db.transaction(async (tx) => {
    const at = deps.clock.now()
    const link = await takeLink(tx, use.token, at)
    const user = link && (await lockUser(tx, Number(link.mer_no), link.user_id))
    if (link === undefined || user === undefined || user.state === 'disabled') throw usedUp()
    const { email } = user
    const { purpose } = link
    const person = personOf(user)
    await updatePassword(tx, person, use.hash)
    if (use.name !== undefined) await updateProfile(tx, person, { name: use.name, language: user.language })
    await endAllSessions(tx, person, at)
    const actor = actorOf({ email, address: browser.address })
    const action = purpose === 'reset' ? 'user.reset-password' : 'user.accept-invitation'
    await writeAudit(tx, { merNo: person.merNo, at, actor, action, subject: email })
    if (purpose === 'reset')
      await mailPasswordChanged(tx, deps.vault, { ...person, email, language: user.language }, at)
    return beginWithPassword(tx, { vault: deps.vault, at }, user, browser)
  })
}

/**
 * The problem if the address has an account by now. The holder of the link reads the mails of the address, and so may
 * know of the account.
 */
function taken(): Problem {
  return new Problem(
    'refused',
    'This address has an account already. Ask the company to invite another address of yours.',
  )
}

function usedUp(): Problem {
  return new Problem('not-found', 'This link was used or has expired. Ask for a new one.')
}
