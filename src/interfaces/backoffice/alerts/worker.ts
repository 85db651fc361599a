// Turns alerts into mails for the people who want the alert and may see its content. One transaction deletes the alert
// and enqueues its mails, so no person gets a mail twice.
import type { Logger } from 'pino'
import { deleteExpiredChallenges } from '../../../people/factors/challenge.ts'
import { deleteExpiredRegistrations } from '../../../people/registration/register-company.ts'
import { listRoles } from '../../../people/roles/roles.ts'
import { deleteOldTries } from '../../../people/sessions/throttle.ts'
import { type AlertReader, selectAlertReaders } from '../../../people/users/alert-settings.ts'
import { deleteExpiredLinks } from '../../../people/users/links.ts'
import type { Clock } from '../../../platform/base/clock.ts'
import type { Vault } from '../../../platform/base/secret.ts'
import { type Interval, type Repetition, repeat } from '../../../platform/concurrency/repeat.ts'
import { enqueueMail } from '../../../platform/mail/enqueue-mail.ts'
import { type AnyAlert, isMailAddress } from '../../../platform/mail/mail.ts'
import { takeAlerts } from '../../../platform/mail/store-mails.ts'
import type { Db, Tx } from '../../../platform/postgres/db.ts'
import { alwaysOnFor, isOnByDefault, mayGetAlert } from './alert-kinds.ts'

export type AlertWorkerDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly vault: Vault
  readonly log: Logger
}

const TAKEN = 50
const MAX_READERS = 100
const CLEAN_LIMIT = 500
const DAY_MS = 86_400_000

export function startAlerts(deps: AlertWorkerDeps & Interval): Repetition {
  return repeat({
    everyMs: deps.everyMs,
    work: () => sendAlerts(deps),
    failed: (error) => deps.log.error({ err: error }, 'alerts could not be sent; they are tried again'),
  })
}

export function startCleaning(deps: Omit<AlertWorkerDeps, 'vault'> & Interval): Repetition {
  return repeat({
    everyMs: deps.everyMs,
    work: () => clean(deps),
    failed: (error) => deps.log.error({ err: error }, 'expired links and tries could not be deleted'),
  })
}

async function sendAlerts(deps: AlertWorkerDeps): Promise<void> {
  for (let taken = TAKEN; taken === TAKEN; ) taken = await deps.db.transaction((tx) => sendSome(tx, deps))
}

async function sendSome(tx: Tx, { vault, clock }: AlertWorkerDeps): Promise<number> {
  const alerts = await takeAlerts(tx, TAKEN)
  for (const { merNo, kind, values } of alerts)
    for (const { email: to, language } of await readersOf(tx, merNo, kind))
      await enqueueMail(tx, vault, { merNo, to, template: kind, language, values, now: clock.now() })
  return alerts.length
}

async function readersOf(tx: Tx, merNo: number, kind: AnyAlert): Promise<AlertReader[]> {
  const roles = await listRoles({ db: tx }, merNo)
  const readers = await selectAlertReaders(tx, merNo, {
    kind,
    isOnByDefault: isOnByDefault(kind),
    alwaysOnFor: alwaysOnFor(kind),
    roles: roles.filter((one) => mayGetAlert(kind, merNo, new Set(one.permissions))).map(({ role }) => role),
    limit: MAX_READERS,
  })
  // An invalid address is left out, because it would block the alerts of all other people.
  return readers.filter(({ email }) => isMailAddress(email))
}

/** Deletes expired rows in small batches, so that no statement runs for long. */
async function clean({ db, clock }: Pick<AlertWorkerDeps, 'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  const slices: readonly (() => Promise<number>)[] = [
    () => deleteOldTries(db, new Date(now.getTime() - DAY_MS), CLEAN_LIMIT),
    () => deleteExpiredChallenges(db, now, CLEAN_LIMIT),
    () => deleteExpiredLinks(db, now, CLEAN_LIMIT),
    () => deleteExpiredRegistrations(db, now, CLEAN_LIMIT),
  ]
  for (const deleteSlice of slices)
    for (let deleted = CLEAN_LIMIT; deleted === CLEAN_LIMIT; ) deleted = await deleteSlice()
}
