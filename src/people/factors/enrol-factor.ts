// People set up and remove second factors. The first factor comes with recovery codes. A session whose sign-in is
// incomplete may set up only the person's first factor. In any other session, the person must have given a factor
// within the last five minutes, or the password if the person has no factor.
import { writeAudit } from '../../platform/audit-log/write-entry.ts'
import { atField, Problem } from '../../platform/errors/problem.ts'
import { enqueueMail } from '../../platform/mail/enqueue-mail.ts'
import { mailMoment } from '../../platform/mail/mail.ts'
import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { type Caller, ownLine, type PeopleDeps } from '../roles/caller.ts'
import { type Browser, factorsOf, renewWithFactor, requireRecentFactor } from '../sessions/begin-session.ts'
import { lockUser, type Person, updateTotpSecret } from '../users/store-users.ts'
import { CHALLENGE_MS, putChallenge, readTotpChallenge, takeChallenge } from './challenge.ts'
import { passkeyParty } from './origins.ts'
import { algorithms, type NewPasskey, verifyNewPasskey } from './passkey.ts'
import { countRecoveryCodes, deleteRecoveryCodes, makeRecoveryCodes } from './recovery-codes.ts'
import { credentialsOf, deletePasskey, deletePasskeys, insertPasskey, selectPasskeys } from './sql.ts'
import { enrolTotp, makeTotpSecret, stepOfCode } from './totp.ts'

const MAX_PASSKEYS = 10

type Enrolled = { readonly next: 'done'; readonly recoveryCodes?: string[] }

export async function describeFactors(db: Queryable, caller: Caller) {
  const passkeys = await selectPasskeys(db, caller)
  return { passkeys, recoveryCodesLeft: await countRecoveryCodes(db, caller) }
}

function requireMayEnrol(caller: Caller, now: Date): void {
  if (caller.factorAt !== null) requireRecentFactor(caller.factorAt, now)
  else if (caller.factors.length > 0) throw new Problem('not-signed-in', 'Give your second factor first.')
}

/** Returns a secret for an authenticator app. The secret becomes a factor when the person enters a code of the app. */
export function beginTotp({ db, vault, clock }: PeopleDeps, caller: Caller): Promise<string> {
  const now = clock.now()
  requireMayEnrol(caller, now)
  return putChallenge(db, vault, caller, 'totp', now, makeTotpSecret())
}

export async function confirmTotp(
  deps: PeopleDeps,
  caller: Caller,
  code: string,
  browser: Browser,
): Promise<Enrolled> {
  const { db, vault, clock } = deps
  const now = clock.now()
  requireMayEnrol(caller, now)
  const secret = await readTotpChallenge(db, vault, caller, now)
  if (secret === undefined) throw new Problem('refused', 'This took too long. Begin again.')
  const step = stepOfCode(secret, code.replace(/\s/g, ''), now)
  if (step === undefined) throw atField('code', 'This code is wrong. Enter the one that your app shows now.')
  return enrol(deps, caller, browser, 'authenticator app', async (tx) => {
    if ((await takeChallenge(tx, vault, caller, 'totp', now)) !== secret)
      throw new Problem('conflict', 'This was done in another window. Reload the page.')
    await enrolTotp(tx, vault, caller, secret, step)
  })
}

export async function beginPasskey({ db, vault, clock, baseUrl }: PeopleDeps, caller: Caller) {
  const now = clock.now()
  requireMayEnrol(caller, now)
  const party = passkeyParty(baseUrl)
  if (party === undefined) throw new Problem('refused', 'Passkeys need https, or the address localhost.')
  const stored = await selectPasskeys(db, caller)
  if (stored.length >= MAX_PASSKEYS)
    throw new Problem('refused', `You have ${MAX_PASSKEYS} passkeys. Remove one first.`)
  return {
    challenge: await putChallenge(db, vault, caller, 'new-passkey', now),
    rp: { id: party.rpId, name: 'Tollgate' },
    user: {
      id: Buffer.from(caller.userId).toString('base64url'),
      name: caller.email,
      displayName: caller.name,
    },
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key' as const, alg })),
    timeout: CHALLENGE_MS,
    attestation: 'none',
    excludeCredentials: credentialsOf(stored),
    authenticatorSelection: { residentKey: 'preferred' as const, userVerification: 'required' as const },
  }
}

export async function confirmPasskey(
  deps: PeopleDeps,
  caller: Caller,
  { name, passkey }: { name: string; passkey: NewPasskey },
  browser: Browser,
): Promise<Enrolled> {
  const { vault, clock, baseUrl } = deps
  const now = clock.now()
  requireMayEnrol(caller, now)
  const party = passkeyParty(baseUrl)
  return enrol(deps, caller, browser, `passkey ${name}`, async (tx) => {
    const challenge = await takeChallenge(tx, vault, caller, 'new-passkey', now)
    if (party === undefined || challenge === undefined)
      throw new Problem('refused', 'This took too long. Begin again.')
    const verified = verifyNewPasskey(passkey, challenge, party)
    const { merNo, userId } = caller
    const transports = passkey.response.transports ?? []
    if (!(await insertPasskey(tx, { merNo, userId, name, ...verified, transports, now })))
      throw new Problem('refused', 'This passkey is registered already.')
  })
}

async function enrol(
  deps: PeopleDeps,
  caller: Caller,
  browser: Browser,
  what: string,
  store: (tx: Tx) => Promise<void>,
): Promise<Enrolled> {
  return deps.db.transaction(async (tx) => {
    const now = deps.clock.now()
    const user = await lockUser(tx, caller.merNo, caller.userId)
    if (user === undefined) throw new Problem('not-signed-in', 'Sign in to go on.')
    const { factors } = await factorsOf(tx, caller)
    // Another session may have set up a factor meanwhile. The caller's session must then give that factor first.
    if (caller.factorAt === null && factors.length > 0)
      throw new Problem('not-signed-in', 'Give your second factor first.')
    await store(tx)
    await report(tx, deps, caller, { action: 'factor.add', what, done: 'added' })
    const recoveryCodes =
      factors.length > 0 ? undefined : await makeRecoveryCodes(tx, deps.vault, caller, now)
    await renewWithFactor(tx, deps, { caller, user, browser, now })
    return { next: 'done', ...(recoveryCodes && { recoveryCodes }) }
  })
}

export function removeTotp(deps: PeopleDeps, caller: Caller): Promise<void> {
  return remove(deps, caller, 'authenticator app', async (tx) => {
    if (!caller.factors.includes('totp')) return false
    await updateTotpSecret(tx, caller, null, null)
    return true
  })
}

export function removePasskey(deps: PeopleDeps, caller: Caller, passkeyId: string): Promise<void> {
  return remove(deps, caller, 'passkey', (tx) => deletePasskey(tx, caller, passkeyId))
}

function remove(
  deps: PeopleDeps,
  caller: Caller,
  what: string,
  take: (tx: Tx) => Promise<boolean>,
): Promise<void> {
  return deps.db.transaction(async (tx) => {
    const user = await lockUser(tx, caller.merNo, caller.userId)
    if (user === undefined || !(await take(tx))) throw new Problem('not-found', 'There is no such factor.')
    const { factors, isRequired } = await factorsOf(tx, caller)
    if (factors.length === 0 && isRequired)
      throw new Problem('refused', 'You must keep one second factor. Set up another one first.')
    await report(tx, deps, caller, { action: 'factor.remove', what, done: 'removed' })
  })
}

export function renewRecoveryCodes({ db, vault, clock }: PeopleDeps, caller: Caller): Promise<string[]> {
  if (caller.factors.length === 0)
    throw new Problem('refused', 'Recovery codes stand in for a second factor. Set one up first.')
  return db.transaction(async (tx) => {
    const now = clock.now()
    await writeAudit(tx, { ...ownLine(caller, now), action: 'recovery-codes.renew' })
    return makeRecoveryCodes(tx, vault, caller, now)
  })
}

/** Writes the audit line, and mails the person, because somebody else may have changed the factors. */
async function report(
  tx: Tx,
  { vault, clock }: PeopleDeps,
  caller: Caller,
  { action, what, done }: { action: string; what: string; done: 'added' | 'removed' },
): Promise<void> {
  const now = clock.now()
  await writeAudit(tx, { ...ownLine(caller, now), action, after: { factor: what } })
  const { merNo, email, language } = caller
  const values = { what: `the second factors (${done}: ${what})`, by: email, at: mailMoment(now) }
  await enqueueMail(tx, vault, { merNo, to: email, template: 'account-changed', language, values, now })
}

export async function removeAllFactors(tx: Tx, person: Person): Promise<void> {
  await deletePasskeys(tx, person)
  await deleteRecoveryCodes(tx, person)
  await updateTotpSecret(tx, person, null, null)
}
