// The first step of a sign-in checks the e-mail address and the password. Neither the reply nor the time that the reply
// takes reveals whether an account exists.
//
// Failed sign-ins are lines of the audit log. Strangers can cause such lines, so the number of lines per hour is
// bounded: one line for an address, a network and a step, and a fixed number of lines for each account and for all
// addresses without an account together. A line never contains the typed text, because people may type their password
// into the wrong field. Companies see failures of their own accounts. Only operators see failures without an account.
import { writeAudit } from '../../platform/audit-log/write-entry.ts'
import { Problem } from '../../platform/errors/problem.ts'
import { networkOf } from '../../platform/http/addresses.ts'
import { compareWithNothing, hashPassword, isOutdated, passwordMatches } from '../passwords/password.ts'
import type { PeopleDeps } from '../roles/caller.ts'
import { PLATFORM } from '../roles/permissions.ts'
import { lockUser, renewHash, selectActiveUser, type UserRow } from '../users/store-users.ts'
import { type Browser, beginWithPassword, deviceIdOf, type NextStep } from './begin-session.ts'
import { isKnownDevice } from './sql.ts'
import { type ThrottleDeps, takeIfLeft, takeTries } from './throttle.ts'

export async function signIn(
  deps: PeopleDeps,
  { email, password }: { readonly email: string; readonly password: string },
  browser: Browser,
): Promise<NextStep> {
  const tries = await takeTries(deps, {
    network: browser.address,
    account: await accountSubject(deps, email, browser),
  })
  const user = await selectActiveUser(deps.db, email)
  const stored = user?.password_hash ?? null
  const account = user && { merNo: Number(user.mer_no), email: user.email }
  const failed = { email, step: 'password', account } as const
  if (user === undefined || stored === null) {
    await compareWithNothing(password)
    await recordFailure(deps, failed, browser)
    throw wrongPassword()
  }
  if (!(await passwordMatches(password, stored))) {
    await recordFailure(deps, failed, browser)
    throw wrongPassword()
  }
  const renewed = isOutdated(stored) ? await hashPassword(password) : undefined
  const next = await enter(deps, user, browser, { stored, renewed })
  await tries.giveBack()
  return next
}

/**
 * Returns the subject whose tries are counted. Strangers can use up the tries of an account. A browser that the person
 * has used before has tries of its own, so strangers cannot lock the person out.
 */
async function accountSubject({ db }: PeopleDeps, email: string, { device }: Browser): Promise<string> {
  const deviceId = deviceIdOf(device ?? '')
  return (await isKnownDevice(db, email, deviceId)) ? `${email} ${deviceId}` : email
}

type Hashes = { readonly stored: string; readonly renewed: string | undefined }

function enter(
  { db, vault, clock }: PeopleDeps,
  user: UserRow,
  browser: Browser,
  { stored, renewed }: Hashes,
): Promise<NextStep> {
  const person = { merNo: Number(user.mer_no), userId: user.user_id }
  return db.transaction(async (tx) => {
    // If the password was changed after it was read, all sessions have ended, and the old password must not begin
    // another session.
    const current = await lockUser(tx, person.merNo, person.userId)
    if (current?.password_hash !== stored || current.state !== 'active') throw wrongPassword()
    if (renewed !== undefined) await renewHash(tx, person, stored, renewed)
    return beginWithPassword(tx, { vault, at: clock.now() }, current, browser)
  })
}

function wrongPassword(): Problem {
  return new Problem('invalid', 'Check your e-mail address and password.')
}

type FailedSignIn = {
  /** The address as typed. Only a keyed hash of this address is stored. */
  readonly email: string
  readonly step: 'password' | 'second-factor'
  /** The account with this address, or undefined if there is none. */
  readonly account: { readonly merNo: number; readonly email: string } | undefined
}

/** Records a failed sign-in. The same statements run with and without an account, so the time of the reply is equal. */
export async function recordFailure(
  { db, vault, clock }: ThrottleDeps,
  { email, step, account }: FailedSignIn,
  { address }: Pick<Browser, 'address'>,
): Promise<void> {
  const at = clock.now()
  await db.transaction(async (tx) => {
    const deps = { db: tx, vault, clock }
    const isFirst = await takeIfLeft(deps, 'failed-sign-in', `${step} ${email} ${networkOf(address)}`)
    const whose = account === undefined ? 'strangers' : account.email
    if (!isFirst || !(await takeIfLeft(deps, 'failed-sign-ins', whose))) return
    await writeAudit(tx, {
      merNo: account?.merNo ?? PLATFORM,
      at,
      actor: { kind: 'system', name: 'sign-in', address },
      action: 'user.sign-in-failed',
      subject: account?.email ?? 'unknown account',
      after: { step },
    })
  })
}
