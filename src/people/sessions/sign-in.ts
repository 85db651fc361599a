// The first step of a sign-in: address and password. Nothing in the reply or in its time tells whether an account exists.
import type { Static } from 'typebox'
import { factorsOf } from '../factors/find-factors.ts'
import { compareWithNothing, hashPassword, isOutdated, passwordMatches } from '../password/password.ts'
import type { PeopleDeps } from '../people-deps.ts'
import { Problem } from '../problem.ts'
import type { Browser } from '../route.ts'
import { lockUser, renewHash, selectActiveUser, type UserRow } from '../sql.ts'
import type { sessionApi } from './api.ts'
import { beginSession, completeSignIn, deviceIdOf } from './begin-session.ts'
import { type NextStep, nextStep } from './next-step.ts'
import { isKnownDevice } from './sql.ts'
import { takeTries } from './throttle.ts'

type SignIn = Static<(typeof sessionApi)['POST /session']['body']>

export async function signIn(
  deps: PeopleDeps,
  { email, password }: SignIn,
  browser: Browser,
): Promise<NextStep> {
  const tries = await takeTries(deps, {
    network: browser.address,
    account: await accountSubject(deps, email, browser),
  })
  const user = await selectActiveUser(deps.db, email)
  const stored = user?.password_hash ?? null
  if (user === undefined || stored === null) {
    await compareWithNothing(password)
    throw wrongPassword()
  }
  if (!(await passwordMatches(password, stored))) throw wrongPassword()
  const renewed = isOutdated(stored) ? await hashPassword(password) : undefined
  const next = await enter(deps, user, browser, { stored, renewed })
  await tries.giveBack()
  return next
}

/**
 * Others can use up the tries of an account, so a browser that the person has used before has its own: nobody is locked out
 * by strangers.
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
    // A change of the password meanwhile has ended all sessions: this must not begin another one.
    const current = await lockUser(tx, person.merNo, person.userId)
    if (current?.password_hash !== stored || current.state !== 'active') throw wrongPassword()
    if (renewed !== undefined) await renewHash(tx, person, stored, renewed)
    return beginWithPassword(tx, { vault, at: clock.now() }, current, browser)
  })
}

type Tx = Parameters<typeof beginSession>[0]

/** Whoever needs no second factor is signed in with it. */
export async function beginWithPassword(
  tx: Tx,
  { vault, at }: { vault: PeopleDeps['vault']; at: Date },
  user: UserRow,
  browser: Browser,
): Promise<NextStep> {
  const { factors, isRequired } = await factorsOf(tx, { merNo: Number(user.mer_no), userId: user.user_id })
  const factorAt = factors.length === 0 && !isRequired ? at : null
  await beginSession(tx, user, browser, { at, factorAt })
  if (factorAt !== null) await completeSignIn(tx, vault, user, browser, at)
  return nextStep({ factors, factorAt })
}

function wrongPassword(): Problem {
  return new Problem('invalid', 'Check your e-mail address and password.')
}
