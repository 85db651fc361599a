// A session begins when the password was given, under a new token. It is complete with the second factor; only then does the
// person count as signed in, and the browser as known.
import { hash, randomBytes } from 'node:crypto'
import { writeAudit } from '../../audit-log/write-entry.ts'
import type { Vault } from '../../base/secret.ts'
import { enqueueMail } from '../../mail/enqueue-mail.ts'
import { mailMoment } from '../../mail/mail.ts'
import type { Tx } from '../../postgres/db.ts'
import { wantsAlert } from '../alerts/sql.ts'
import { actorOf } from '../caller.ts'
import type { Browser } from '../route.ts'
import { type UserRow, updateSignedIn } from '../sql.ts'
import { sessionIdOf } from './find-session.ts'
import { deleteOldDevices, endSession, insertSession, upsertDevice } from './sql.ts'

const TOKEN_BYTES = 32
const MAX_DEVICES = 20

export function makeToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url')
}

/** The browser's earlier session ends: nobody can plant a token that is signed in later. */
export async function beginSession(
  tx: Tx,
  user: Pick<UserRow, 'mer_no' | 'user_id'>,
  browser: Browser,
  { at, factorAt }: { at: Date; factorAt: Date | null },
): Promise<void> {
  if (browser.token !== undefined) await endSession(tx, sessionIdOf(browser.token), at)
  const token = makeToken()
  const { address, agent } = browser
  const session = { merNo: Number(user.mer_no), userId: user.user_id, sessionId: sessionIdOf(token) }
  await insertSession(tx, { ...session, at, factorAt, address, agent })
  browser.setSession(token)
}

export function deviceIdOf(token: string): string {
  return hash('sha256', token, 'hex')
}

export async function completeSignIn(
  tx: Tx,
  vault: Vault,
  user: UserRow,
  browser: Browser,
  at: Date,
): Promise<void> {
  const merNo = Number(user.mer_no)
  const person = { merNo, userId: user.user_id }
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
