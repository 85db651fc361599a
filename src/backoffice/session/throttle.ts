// Limits what strangers may try, by account, network and company, for all nodes together. The table holds keyed hashes, so it does
// not list who signs in from where. A try is taken before the work and given back after a success: calls at the same moment
// cannot exceed a limit.
import type { Clock } from '../../base/clock.ts'
import type { Vault } from '../../base/secret.ts'
import { networkOf } from '../../http/addresses.ts'
import type { Db } from '../../postgres/db.ts'
import { Problem } from '../problem.ts'
import { returnTryRow, selectSince, takeTryRow } from './throttle-sql.ts'

type Limit = { readonly most: number; readonly windowMs: number }

const QUARTER_MS = 15 * 60_000
const HOUR_MS = 60 * 60_000

/** A network may be an office: its limit is wide. Anybody can register a company: what it mails to strangers is limited. */
const limits = {
  account: { most: 10, windowMs: QUARTER_MS },
  network: { most: 100, windowMs: QUARTER_MS },
  factor: { most: 10, windowMs: HOUR_MS },
  'mail-to': { most: 5, windowMs: HOUR_MS },
  'mail-from': { most: 30, windowMs: HOUR_MS },
  'invited-by': { most: 30, windowMs: HOUR_MS },
  'links-by': { most: 30, windowMs: HOUR_MS },
} as const satisfies Record<string, Limit>

export type ThrottleDeps = { readonly db: Db; readonly vault: Vault; readonly clock: Clock }

export type Tries = {
  /** After a success: it does not count. */
  giveBack(): Promise<void>
}

/** Networks and companies first: a call that they may not make uses up no try of an account. */
const kinds = ['network', 'mail-from', 'invited-by', 'links-by', 'account', 'mail-to', 'factor'] as const

type Wanted = Partial<Record<keyof typeof limits, string>>

/** Refuses with `too-many` and the time to wait. A network is named by one of its addresses. */
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

async function takeTry(deps: ThrottleDeps, kind: keyof typeof limits, value: string): Promise<string> {
  const { db, vault, clock } = deps
  const { most, windowMs } = limits[kind]
  const plain = kind === 'network' || kind === 'mail-from' ? networkOf(value) : value.toLowerCase()
  const subject = `${kind}:${vault.mac('throttle', plain)}`
  const now = clock.now()
  const since = new Date(now.getTime() - windowMs)
  if (await takeTryRow(db, { subject, most, now, since })) return subject
  const begun = (await selectSince(db, subject)) ?? now
  const waitMs = Math.min(windowMs, begun.getTime() + windowMs - now.getTime())
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  const minutes = Math.ceil(seconds / 60)
  throw new Problem('too-many', `Too many tries. Try again in ${minutes} min.`, undefined, seconds)
}
