// Sends stored mails. A mail that could not be sent is retried for 17 hours, with exponential back-off.
import type { Logger } from 'pino'
import type { Clock } from '../base/clock.ts'
import { idsFrom } from '../base/id.ts'
import type { Vault } from '../base/secret.ts'
import { type ClaimJob, startClaimLoop } from '../concurrency/claim-loop.ts'
import { type Interval, type Repetition, repeat } from '../concurrency/repeat.ts'
import type { Db } from '../postgres/db.ts'
import { linkContext } from './enqueue-mail.ts'
import type { StoredMail } from './mail.ts'
import { renderMail } from './render-mail.ts'
import { claimMails, deleteOldMails, recordFailure, recordSent } from './store-mails.ts'
import { MAX_CONNECTIONS, type MailTransport } from './transport.ts'

type MailWorkerDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly vault: Vault
  readonly log: Logger
  readonly mail: MailTransport
  /** The length of a minute of the back-off, in milliseconds. Only a sandbox may change the length. */
  readonly minuteMs: number
}

const LEASE_MS = 120_000
/** The maximum number of tries. The pauses between them are 1, 2, 4 … minutes, so eleven tries take 17 hours. */
const MAX_TRIES = 11
const CLEAN_LIMIT = 500
const KEPT_MS = 30 * 86_400_000

export function startMail(deps: MailWorkerDeps & Interval): Repetition {
  const sending = startClaimLoop(mailJob(deps), {
    clock: deps.clock,
    everyMs: deps.everyMs,
    // Mails are claimed only while a connection is free, because a mail that waits long could lose its lease.
    maxPerChannel: MAX_CONNECTIONS,
  })
  return {
    async stop() {
      await sending.stop()
      deps.mail.close()
    },
  }
}

export function startMailCleaning(deps: Pick<MailWorkerDeps, 'db' | 'clock' | 'log'> & Interval): Repetition {
  return repeat({
    everyMs: deps.everyMs,
    work: () => cleanMails(deps),
    failed: (error) => deps.log.error({ err: error }, 'old mails could not be deleted'),
  })
}

function mailJob(deps: MailWorkerDeps): ClaimJob<StoredMail> {
  const { db, log } = deps
  return {
    leaseMs: LEASE_MS,
    claim: async (claim) =>
      claim.busy.length > 0 ? [] : claimMails(db, { ...claim, limit: MAX_CONNECTIONS }),
    channelOf: () => 'smtp',
    run: (mail) => sendAndRecord(deps, mail),
    rowFailed: (error, { mailId }) => log.error({ err: error, mailId }, 'a mail could not be recorded'),
    claimFailed: (error) => log.error({ err: error }, 'due mails could not be claimed'),
  }
}

async function sendAndRecord(deps: MailWorkerDeps, mail: StoredMail): Promise<void> {
  const { db, log, mail: transport } = deps
  // A claim counts as a try. If the outcome of the last try was not recorded, the mail is claimed once more, but is not
  // sent again.
  const error = mail.tries > MAX_TRIES ? 'the process ended during the last try' : await send(deps, mail)
  if (error === undefined) return recordSent(db, mail, transport.kind === 'sandbox')
  // Without a mail server, another try does not help. An operator may send the mail again later.
  const isLast = mail.tries >= MAX_TRIES || transport.kind === 'off'
  log.warn({ mailId: mail.mailId, tries: mail.tries, error, isLast }, 'a mail could not be sent')
  const waitMs = 2 ** (mail.tries - 1) * deps.minuteMs
  const dueAt = new Date(deps.clock.now().getTime() + waitMs)
  await recordFailure(db, mail, { state: isLast ? 'failed' : 'waiting', dueAt, error })
}

/** Sends a mail. Returns the reason if the mail could not be sent. */
async function send(
  { vault, mail: transport }: MailWorkerDeps,
  mail: StoredMail,
): Promise<string | undefined> {
  const { mailId, to, template, language, values, sealedLink } = mail
  try {
    const link = sealedLink === null ? undefined : vault.open(sealedLink, linkContext(mailId))
    await transport.send(to, renderMail(template, language, values, link), mailId)
    return undefined
  } catch (error) {
    return (error instanceof Error ? error.message : String(error)).slice(0, 300)
  }
}

export async function cleanMails({ db, clock }: Pick<MailWorkerDeps, 'db' | 'clock'>): Promise<number> {
  const before = idsFrom('M', new Date(clock.now().getTime() - KEPT_MS))
  let deleted = 0
  for (let more = CLEAN_LIMIT; more === CLEAN_LIMIT; deleted += more)
    more = await deleteOldMails(db, before, CLEAN_LIMIT)
  return deleted
}
