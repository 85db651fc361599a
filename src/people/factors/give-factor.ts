// A person gives the second factor, at sign-in and before a dangerous action. A person who has no factor and needs none
// gives the password before a dangerous action. The session continues under a new token. A code of an app, a recovery
// code and a passkey's challenge can each be used only once.
import type { Vault } from '../../platform/base/secret.ts'
import type { FieldText } from '../../platform/errors/page-texts.ts'
import { atField, Problem } from '../../platform/errors/problem.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import { passwordMatches } from '../passwords/password.ts'
import type { Caller, PeopleDeps } from '../roles/caller.ts'
import { type Browser, renewWithFactor, sessionEnded } from '../sessions/begin-session.ts'
import { recordFailure } from '../sessions/sign-in.ts'
import { takeTries } from '../sessions/throttle.ts'
import { lockUser, personOf, selectUser, takeTotpStep, type UserRow } from '../users/store-users.ts'
import { CHALLENGE_MS, putChallenge, takeChallenge } from './challenge.ts'
import { passkeyParty } from './origins.ts'
import { type PasskeyAnswer, verifyPasskey } from './passkey.ts'
import { useRecoveryCode } from './recovery-codes.ts'
import { credentialsOf, recordPasskeyUse, selectPasskeys } from './sql.ts'
import { stepOfCode, totpContext } from './totp.ts'

/** The factor that a person gives, or the password of a person without factors. Exactly one field must be set. */
type GivenFactor = {
  /** A code of an authenticator app, or a recovery code. */
  readonly code?: string
  readonly passkey?: PasskeyAnswer
  readonly password?: string
}

/** Verifies the factor and renews the session. If a recovery code was used, returns how many codes are left. */
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
  const checked = deps.db.transaction(async (tx) => {
    const user = await lockUser(tx, caller.merNo, caller.userId)
    if (user === undefined) throw sessionEnded()
    const now = deps.clock.now()
    if (passkey !== undefined) await checkPasskey(tx, deps, caller, passkey, now)
    const codesLeft = code === undefined ? undefined : await checkCode(tx, deps, user, code, now)
    await renewWithFactor(tx, deps, { caller, user, browser, now })
    return codesLeft
  })
  const left = await checked.catch(async (error: unknown) => {
    const isWrong = error instanceof Problem && error.code === 'invalid'
    const { email } = caller
    if (isWrong && caller.factorAt === null)
      await recordFailure(deps, { email, step: 'second-factor', account: caller }, browser)
    throw error
  })
  await tries.giveBack()
  return left
}

/** Checks the password. A password is accepted only if the person has no second factor and needs none. */
async function confirmPassword({ db }: PeopleDeps, caller: Caller, password: string): Promise<void> {
  if (caller.factors.length > 0 || caller.factorAt === null)
    throw new Problem('invalid', 'Use your second factor.', { password: 'Use your second factor.' })
  const user = await selectUser(db, caller.merNo, caller.userId)
  if (await passwordMatches(password, user?.password_hash ?? '')) return
  throw new Problem('invalid', 'This is not your password.', { password: 'This is not your password.' })
}

/** Returns the request that the browser passes to `navigator.credentials.get`. */
export async function requestPasskey({ db, vault, clock, baseUrl }: PeopleDeps, caller: Caller) {
  const party = passkeyParty(baseUrl)
  if (party === undefined)
    throw new Problem('refused', 'Passkeys need https, or the address localhost. Use a code.')
  const stored = await selectPasskeys(db, caller)
  return {
    challenge: await putChallenge(db, vault, caller, 'passkey', clock.now()),
    rpId: party.rpId,
    timeout: CHALLENGE_MS,
    userVerification: 'required' as const,
    allowCredentials: credentialsOf(stored),
  }
}

type FactorDeps = { readonly vault: Vault; readonly baseUrl: string }

/**
 * Verifies a code. Six digits are a code of an app. Any other text is a recovery code. After a recovery code, returns
 * how many codes are left.
 */
async function checkCode(
  tx: Tx,
  { vault }: FactorDeps,
  user: UserRow,
  typed: string,
  now: Date,
): Promise<number | undefined> {
  const person = personOf(user)
  const code = typed.replace(/\s/g, '')
  if (!/^\d{6}$/.test(code)) {
    const left = await useRecoveryCode(tx, vault, person, code, now)
    if (left === undefined) throw wrongCode('This recovery code does not exist or was used. Try another one.')
    return left
  }
  const step =
    user.totp_secret === null
      ? undefined
      : stepOfCode(vault.open(user.totp_secret, totpContext(user.user_id)), code, now)
  if (step === undefined)
    throw wrongCode('This code is wrong or too old. Enter the one that your app shows now.')
  if (!(await takeTotpStep(tx, person, step)))
    throw wrongCode('This code was used before. Wait for the next one.')
  return undefined
}

async function checkPasskey(
  tx: Tx,
  { vault, baseUrl }: FactorDeps,
  caller: Caller,
  answer: PasskeyAnswer,
  now: Date,
): Promise<void> {
  const party = passkeyParty(baseUrl)
  const challenge = await takeChallenge(tx, vault, caller, 'passkey', now)
  const stored = (await selectPasskeys(tx, caller)).find(({ passkey_id }) => passkey_id === answer.id)
  if (party === undefined || challenge === undefined || stored === undefined)
    throw new Problem('invalid', 'This passkey could not be used. Try again.')
  const { public_key: publicKey, sign_count } = stored
  const signCount = verifyPasskey(answer, challenge, party, { publicKey, signCount: Number(sign_count) })
  if (!(await recordPasskeyUse(tx, caller, { passkeyId: answer.id, signCount, now })))
    throw new Problem('invalid', 'This passkey was used at the same moment. Try again.')
}

function wrongCode(text: FieldText): Problem {
  return atField('code', text)
}
