// The first step of a sign-in: e-mail address and password. Neither the reply nor its time reveals whether an account
// exists.
//
// Failed sign-ins are lines of the audit log. Strangers can cause such lines, so throttle.ts bounds their number. A
// line never contains the typed text, because people may type their password into the wrong field. Companies see
// failures of their own accounts. Only operators see failures without an account.
import { writeAudit } from '../../platform/audit-log/write-entry.ts'
import { Problem } from '../../platform/errors/problem.ts'
import { networkOf } from '../../platform/http/addresses.ts'
import { compareWithNothing, hashPassword, isOutdated, passwordMatches } from '../passwords/password.ts'
import type { PeopleDeps } from '../roles/caller.ts'
import { PLATFORM } from '../roles/permissions.ts'
import { lockUser, personOf, renewHash, selectActiveUser, type UserRow } from '../users/store-users.ts'
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
 * Returns the text under which tries for an account are counted. A browser that the person has used before has its own
 * tries, so that strangers cannot use up the tries of that browser.
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
  const person = personOf(user)
  return db.transaction(async (tx) => {
    // The password may have changed since it was checked. A change ends all sessions, so the old password must not
    // begin another session.
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
  /** The typed address. Only a keyed hash of the typed text is stored. */
  readonly email: string
  readonly step: 'password' | 'second-factor'
  readonly account: { readonly merNo: number; readonly email: string } | undefined
}

/** Records a failed sign-in. The same statements run if there is no account, so that the reply takes the same time. */
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
