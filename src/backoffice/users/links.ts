// One-time links, by which people set their password. Only a hash of the token is stored. A new link replaces the earlier
// ones of the same person.
import { hash, randomBytes } from 'node:crypto'
import type { Queryable, Tx } from '../../postgres/db.ts'
import { insertLink, type LinkRow, selectLink, takeLinkRow } from './link-sql.ts'

export type LinkPurpose = 'invitation' | 'reset'

const HOUR_MS = 3_600_000
const lastsMs: Readonly<Record<LinkPurpose, number>> = { invitation: 24 * HOUR_MS, reset: HOUR_MS }

/** The address of the page. Browsers do not send a fragment, so the token reaches no log. */
export async function makeLink(
  tx: Tx,
  baseUrl: string,
  { merNo, userId, purpose, now }: { merNo: number; userId: string; purpose: LinkPurpose; now: Date },
): Promise<string> {
  const token = makeLinkToken()
  const expiresAt = new Date(now.getTime() + lastsMs[purpose])
  await insertLink(tx, { merNo, userId, purpose, linkId: linkIdOf(token), createdAt: now, expiresAt })
  return linkAddress(baseUrl, token)
}

export function makeLinkToken(): string {
  return randomBytes(32).toString('base64url')
}

export function linkIdOf(token: string): string {
  return hash('sha256', token, 'hex')
}

export function linkAddress(baseUrl: string, token: string): string {
  return `${baseUrl}/backoffice/link#${token}`
}

export function findLink(db: Queryable, token: string, now: Date): Promise<LinkRow | undefined> {
  return selectLink(db, linkIdOf(token), now)
}

/** Undefined if it was used, replaced or has expired. Of two calls at once, one gets it. */
export function takeLink(tx: Tx, token: string, now: Date): Promise<LinkRow | undefined> {
  return takeLinkRow(tx, linkIdOf(token), now)
}
