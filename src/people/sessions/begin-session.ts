// A session begins under a new token after the password was given or set. The second factor completes the sign-in. If
// the person needs no second factor, the sign-in is complete at once. Only a complete sign-in stores the browser as
// known.
import { hash, randomBytes } from 'node:crypto'
import { writeAudit } from '../../platform/audit-log/write-entry.ts'
import type { Vault } from '../../platform/base/secret.ts'
import { Problem } from '../../platform/errors/problem.ts'
import { enqueueMail } from '../../platform/mail/enqueue-mail.ts'
import { mailMoment } from '../../platform/mail/mail.ts'
import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { actorOf, type Caller, type Factor, type PeopleDeps } from '../roles/caller.ts'
import { wantsAlert } from '../users/alert-settings.ts'
import { type Person, personOf, type UserRow, updateSignedIn } from '../users/store-users.ts'
import { factorsIn, sessionIdOf } from './find-session.ts'
import {
  deleteOldDevices,
  endSession,
  insertSession,
  renewSession,
  selectFactors,
  upsertDevice,
} from './sql.ts'

const TOKEN_BYTES = 32
const MAX_DEVICES = 20
/** The time for which a second factor counts as recent. After this time, dangerous actions ask for the factor again. */
const FACTOR_MS = 5 * 60_000

export type Browser = {
  readonly address: string
  readonly agent: string
  /** The token of the session cookie. The token is not verified yet, so it may be forged. */
  readonly token: string | undefined
  setSession(token: string | undefined): void
  /** The token by which the browser is recognised. This token gives no access. */
  readonly device: string | undefined
  setDevice(token: string): void
}

/** The next step of a sign-in. `factor` asks for the second factor. `enrol` lets the person set one up. */
export type NextStep = 'done' | 'factor' | 'enrol'

export function nextStep({ factors, factorAt }: Pick<Caller, 'factors' | 'factorAt'>): NextStep {
  if (factorAt !== null) return 'done'
  return factors.length > 0 ? 'factor' : 'enrol'
}

export function makeToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url')
}

export function deviceIdOf(token: string): string {
  return hash('sha256', token, 'hex')
}

/** Begins a session after the password was given. If the person needs no second factor, the sign-in is complete. */
export async function beginWithPassword(
  tx: Tx,
  { vault, at }: { vault: Vault; at: Date },
  user: UserRow,
  browser: Browser,
): Promise<NextStep> {
  const { factors, isRequired } = await factorsOf(tx, personOf(user))
  const factorAt = factors.length === 0 && !isRequired ? at : null
  await beginSession(tx, user, browser, { at, factorAt })
  if (factorAt !== null) await completeSignIn(tx, vault, user, browser, at)
  return nextStep({ factors, factorAt })
}

/** Begins a session under a new token and ends the browser's earlier session, to prevent session fixation. */
async function beginSession(
  tx: Tx,
  user: UserRow,
  browser: Browser,
  { at, factorAt }: { at: Date; factorAt: Date | null },
): Promise<void> {
  if (browser.token !== undefined) await endSession(tx, sessionIdOf(browser.token), at)
  const token = makeToken()
  const { address, agent } = browser
  await insertSession(tx, { ...personOf(user), sessionId: sessionIdOf(token), at, factorAt, address, agent })
  browser.setSession(token)
}

/**
 * Records the sign-in. A new browser causes a mail, except at the first sign-in, or if the person has switched the
 * alert off.
 */
async function completeSignIn(
  tx: Tx,
  vault: Vault,
  user: UserRow,
  browser: Browser,
  at: Date,
): Promise<void> {
  const person = personOf(user)
  const { merNo } = person
  const { email, language } = user
  const { address, agent } = browser
  await updateSignedIn(tx, person, at)
  const device = browser.device ?? makeToken()
  const isNew = await upsertDevice(tx, person, deviceIdOf(device), at)
  browser.setDevice(device)
  if (isNew) await deleteOldDevices(tx, person, MAX_DEVICES)
  const actor = actorOf({ email, address })
  await writeAudit(tx, { merNo, at, actor, action: 'user.sign-in', subject: email })
  const isFirst = user.signed_in_at === null
  if (!isNew || isFirst || !(await wantsAlert(tx, person, 'new-device'))) return
  const values = { address, agent, at: mailMoment(at) }
  await enqueueMail(tx, vault, { merNo, to: email, template: 'new-device', language, values, now: at })
}

type Renewal = {
  readonly caller: Caller
  readonly user: UserRow
  readonly browser: Browser
  readonly now: Date
}

/** Renews the session under a new token after a second factor. Dangerous actions are then allowed for five minutes. */
export async function renewWithFactor(
  tx: Tx,
  { vault }: Pick<PeopleDeps, 'vault'>,
  { caller, user, browser, now }: Renewal,
): Promise<void> {
  const token = makeToken()
  const renewed = { sessionId: sessionIdOf(token), factorAt: now, seenAt: now }
  if (!(await renewSession(tx, caller.sessionId, renewed))) throw sessionEnded()
  if (caller.factorAt === null) await completeSignIn(tx, vault, user, browser, now)
  browser.setSession(token)
}

export function sessionEnded(): Problem {
  return new Problem('not-signed-in', 'Your session has ended. Sign in to go on.')
}

export function requireRecentFactor(factorAt: Date | null, now: Date): void {
  if (factorAt === null || now.getTime() - factorAt.getTime() > FACTOR_MS)
    throw new Problem('factor-needed', 'Confirm that it is you.')
}

type Factors = {
  readonly factors: readonly Factor[]
  /** True if the person needs a second factor: always for operators, and for staff by the company's rule. */
  readonly isRequired: boolean
}

export async function factorsOf(db: Queryable, person: Person): Promise<Factors> {
  const row = await selectFactors(db, person)
  return { factors: factorsIn(row), isRequired: row.factor_required }
}
