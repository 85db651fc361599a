// Owns sign_in_tries: limits tries for all nodes together, such as sign-ins by account and by network. The table has
// only keyed hashes, so it does not reveal who signs in from where. A try is taken before the work, so that concurrent
// calls cannot exceed a limit. After a success, callers may give the try back.
import type { Clock } from '../../platform/base/clock.ts'
import type { Vault } from '../../platform/base/secret.ts'
import { Problem } from '../../platform/errors/problem.ts'
import { networkOf } from '../../platform/http/addresses.ts'
import type { Db, Queryable } from '../../platform/postgres/db.ts'

type Limit = { readonly most: number; readonly windowMs: number }

const QUARTER_MS = 15 * 60_000
const HOUR_MS = 60 * 60_000

/**
 * The limits of tries. A network may be an office, so its limit is high. Anybody can register a company, so the mails
 * that a company sends are limited.
 */
const limits = {
  account: { most: 10, windowMs: QUARTER_MS },
  network: { most: 100, windowMs: QUARTER_MS },
  factor: { most: 10, windowMs: HOUR_MS },
  'mail-to': { most: 5, windowMs: HOUR_MS },
  'mail-from': { most: 30, windowMs: HOUR_MS },
  'invited-by': { most: 30, windowMs: HOUR_MS },
  'links-by': { most: 30, windowMs: HOUR_MS },
  /** Limits the audit lines about failed sign-ins per step, e-mail address and network. */
  'failed-sign-in': { most: 1, windowMs: HOUR_MS },
  /** Limits the audit lines about failed sign-ins per account. All addresses without an account share one limit. */
  'failed-sign-ins': { most: 50, windowMs: HOUR_MS },
} as const satisfies Record<string, Limit>

export type ThrottleDeps = { readonly db: Db; readonly vault: Vault; readonly clock: Clock }

type Tries = {
  giveBack(): Promise<void>
}

/** Tries are taken in this order. A call that the network's limit refuses uses no try of the account. */
const kinds = ['network', 'mail-from', 'invited-by', 'links-by', 'account', 'mail-to', 'factor'] as const

type Wanted = Partial<Record<(typeof kinds)[number], string>>

/** Takes a try of each wanted kind, or refuses with `too-many`. All addresses of a network share its tries. */
export async function takeTries(deps: ThrottleDeps, wanted: Wanted): Promise<Tries> {
  const taken: string[] = []
  for (const kind of kinds) {
    const value = wanted[kind]
    if (value !== undefined) taken.push(await takeTry(deps, kind, value))
  }
  return {
    async giveBack() {
      for (const subject of taken) await returnTryRow(deps.db, subject)
    },
  }
}

type Kind = keyof typeof limits
type TakeDeps = Omit<ThrottleDeps, 'db'> & { readonly db: Queryable }

/**
 * Takes a try. Returns false if no try is left. A single statement takes the try, so two calls cannot both take the
 * last one.
 */
export async function takeIfLeft(
  { db, vault, clock }: TakeDeps,
  kind: Kind,
  value: string,
): Promise<boolean> {
  const { most, windowMs } = limits[kind]
  const now = clock.now()
  const rows = await db.query({
    name: 'tries.take',
    text: `
      insert into sign_in_tries (subject, since, tries) values ($1, $3, 1)
      on conflict (subject) do update set
        tries = case when sign_in_tries.since <= $4 then 1 else sign_in_tries.tries + 1 end,
        since = case when sign_in_tries.since <= $4 then $3 else sign_in_tries.since end
      where sign_in_tries.since <= $4 or sign_in_tries.tries < $2
      returning subject`,
    values: [subjectOf(vault, kind, value), most, now, new Date(now.getTime() - windowMs)],
  })
  return rows.length > 0
}

function subjectOf(vault: Vault, kind: Kind, value: string): string {
  const plain = kind === 'network' || kind === 'mail-from' ? networkOf(value) : value.toLowerCase()
  return `${kind}:${vault.mac('throttle', plain)}`
}

async function takeTry(deps: ThrottleDeps, kind: Kind, value: string): Promise<string> {
  const { db, vault, clock } = deps
  const { windowMs } = limits[kind]
  const subject = subjectOf(vault, kind, value)
  if (await takeIfLeft(deps, kind, value)) return subject
  const now = clock.now()
  const begun = (await selectSince(db, subject)) ?? now
  const waitMs = Math.min(windowMs, begun.getTime() + windowMs - now.getTime())
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  const minutes = Math.ceil(seconds / 60)
  throw new Problem('too-many', `Too many tries. Try again in ${minutes} min.`, undefined, seconds)
}

async function selectSince(db: Queryable, subject: string): Promise<Date | undefined> {
  const [row] = await db.query<{ since: Date }>({
    text: 'select since from sign_in_tries where subject = $1',
    values: [subject],
  })
  return row?.since
}

async function returnTryRow(db: Queryable, subject: string): Promise<void> {
  await db.query({
    name: 'tries.return',
    text: 'update sign_in_tries set tries = tries - 1 where subject = $1 and tries > 0',
    values: [subject],
  })
}

export async function deleteOldTries(db: Queryable, before: Date, limit: number): Promise<number> {
  const rows = await db.query({
    text: `
      delete from sign_in_tries where subject in (
        select subject from sign_in_tries where since < $1 limit $2) returning subject`,
    values: [before, limit],
  })
  return rows.length
}
