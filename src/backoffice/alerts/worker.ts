// Turns alerts into mails for the people who want them and may know it. An alert is taken out and its mails are written in one
// transaction, so each person gets each mail once.
import type { Logger } from 'pino'
import type { Clock } from '../../base/clock.ts'
import type { Vault } from '../../base/secret.ts'
import { type Repetition, repeat } from '../../concurrency/repeat.ts'
import { takeAlerts } from '../../mail/enqueue-alert.ts'
import { enqueueMail } from '../../mail/enqueue-mail.ts'
import { type AnyAlert, isMailAddress } from '../../mail/mail.ts'
import type { Db, Tx } from '../../postgres/db.ts'
import { permissionsOfRole } from '../permissions.ts'
import { deleteExpired } from '../session/throttle-sql.ts'
import { alwaysOnFor, isOnByDefault, mayGetAlert } from './alert-kinds.ts'
import { type AlertReader, selectAlertReaders } from './sql.ts'

export type AlertWorkerDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly vault: Vault
  readonly log: Logger
}

const POLL_MS = 1_000
const TAKEN = 50
/** The first so many people of a company. */
const MAX_READERS = 100
const CLEAN_MS = 600_000
const CLEAN_LIMIT = 500
const DAY_MS = 86_400_000

/** Also removes what has expired: tries, challenges, links and unconfirmed registrations. */
export function startAlerts(deps: AlertWorkerDeps): Repetition {
  const { log } = deps
  const sending = repeat({
    everyMs: POLL_MS,
    work: () => sendAlerts(deps),
    failed: (error) => log.error({ err: error }, 'alerts could not be sent; they are tried again'),
  })
  const cleaning = repeat({
    everyMs: CLEAN_MS,
    work: () => clean(deps),
    failed: (error) => log.error({ err: error }, 'expired links and tries could not be deleted'),
  })
  return {
    async stop() {
      await Promise.all([sending.stop(), cleaning.stop()])
    },
  }
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
  const readers = await selectAlertReaders(tx, merNo, {
    kind,
    isOnByDefault: isOnByDefault(kind),
    alwaysOnFor: alwaysOnFor(kind),
    limit: MAX_READERS,
  })
  return readers.filter(({ email, role, permissions }) => {
    // One address that no mail server takes must not hold up the alerts of everybody.
    if (!isMailAddress(email)) return false
    const own: readonly string[] = permissionsOfRole(merNo, role) ?? permissions ?? []
    return mayGetAlert(kind, merNo, new Set(own))
  })
}

async function clean({ db, clock }: AlertWorkerDeps): Promise<void> {
  const now = clock.now()
  const triesBefore = new Date(now.getTime() - DAY_MS)
  for (let more = CLEAN_LIMIT; more === CLEAN_LIMIT; )
    more = await deleteExpired(db, { now, triesBefore, limit: CLEAN_LIMIT })
}
