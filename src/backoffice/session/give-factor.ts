// The second factor, at sign-in and again before a dangerous action. The session goes on under a new token.
import type { Static } from 'typebox'
import type { Tx } from '../../postgres/db.ts'
import type { Caller } from '../caller.ts'
import { checkCode, checkPasskey } from '../factors/check-factor.ts'
import { passwordMatches } from '../password/password.ts'
import type { PeopleDeps } from '../people-deps.ts'
import { Problem } from '../problem.ts'
import type { Browser } from '../route.ts'
import { lockUser, selectUser, type UserRow } from '../sql.ts'
import type { sessionApi } from './api.ts'
import { completeSignIn, makeToken } from './begin-session.ts'
import { sessionIdOf } from './find-session.ts'
import { renewSession } from './sql.ts'
import { takeTries } from './throttle.ts'

export type GivenFactor = Static<(typeof sessionApi)['POST /session/factor']['body']>

/** How many recovery codes are left, if one was used. */
export async function giveFactor(
  deps: PeopleDeps,
  caller: Caller,
  given: GivenFactor,
  browser: Browser,
): Promise<number | undefined> {
  const { code, passkey, password } = given
  if ([code, passkey, password].filter((one) => one !== undefined).length !== 1)
    throw new Problem('invalid', 'Give one of: a code, a passkey, your password.')
  const tries = await takeTries(deps, { factor: `${caller.merNo}:${caller.userId}` })
  if (password !== undefined) await confirmPassword(deps, caller, password)
  const left = await deps.db.transaction(async (tx) => {
    const user = await lockUser(tx, caller.merNo, caller.userId)
    if (user === undefined) throw ended()
    const now = deps.clock.now()
    if (passkey !== undefined) await checkPasskey(tx, deps, caller, passkey, now)
    const codesLeft = code === undefined ? undefined : await checkCode(tx, deps, user, code, now)
    await renewWithFactor(tx, deps, { caller, user, browser, now })
    return codesLeft
  })
  await tries.giveBack()
  return left
}

/** Only for people without a second factor, and never in place of one that they have to set up. */
async function confirmPassword({ db }: PeopleDeps, caller: Caller, password: string): Promise<void> {
  if (caller.factors.length > 0 || caller.factorAt === null)
    throw new Problem('invalid', 'Use your second factor.', { password: 'Use your second factor.' })
  const user = await selectUser(db, caller.merNo, caller.userId)
  if (await passwordMatches(password, user?.password_hash ?? '')) return
  throw new Problem('invalid', 'This is not your password.', { password: 'This is not your password.' })
}

export type Renewal = {
  readonly caller: Caller
  readonly user: UserRow
  readonly browser: Browser
  readonly now: Date
}

/** From now on the session counts, and for five minutes it may do dangerous things. */
export async function renewWithFactor(
  tx: Tx,
  { vault }: Pick<PeopleDeps, 'vault'>,
  { caller, user, browser, now }: Renewal,
): Promise<void> {
  const token = makeToken()
  const renewed = { sessionId: sessionIdOf(token), factorAt: now, seenAt: now }
  if (!(await renewSession(tx, caller.sessionId, renewed))) throw ended()
  if (caller.factorAt === null) await completeSignIn(tx, vault, user, browser, now)
  browser.setSession(token)
}

function ended(): Problem {
  return new Problem('not-signed-in', 'Your session has ended. Sign in to go on.')
}
