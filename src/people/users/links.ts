// Owns user_links, the one-time links by which people set their passwords. The table has only a hash of the token. No
// access log has the token, because it is in the fragment of the address, which browsers do not send.
import { hash, randomBytes } from 'node:crypto'
import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import type { Person } from './store-users.ts'

type LinkPurpose = 'invitation' | 'reset'

type Link = {
  readonly mer_no: bigint
  readonly user_id: string
  readonly purpose: LinkPurpose
}

const HOUR_MS = 3_600_000
const lastsMs: Readonly<Record<LinkPurpose, number>> = { invitation: 24 * HOUR_MS, reset: HOUR_MS }

/** Returns the address of a new link, which replaces the person's earlier links. */
export async function makeLink(
  tx: Tx,
  baseUrl: string,
  { merNo, userId, purpose, now }: { merNo: number; userId: string; purpose: LinkPurpose; now: Date },
): Promise<string> {
  const token = makeLinkToken()
  const expiresAt = new Date(now.getTime() + lastsMs[purpose])
  await deleteLinks(tx, { merNo, userId })
  await tx.query({
    text: `
      insert into user_links (mer_no, link_id, user_id, purpose, created_at, expires_at)
      values ($1, $2, $3, $4, $5, $6)`,
    values: [merNo, linkIdOf(token), userId, purpose, now, expiresAt],
  })
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

export async function deleteLinks(tx: Tx, { merNo, userId }: Person): Promise<void> {
  await tx.query({
    text: 'delete from user_links where mer_no = $1 and user_id = $2 and used_at is null',
    values: [merNo, userId],
  })
}

/** Finds a link. Undefined if it was used, was replaced or has expired. */
export async function findLink(db: Queryable, token: string, now: Date): Promise<Link | undefined> {
  const [row] = await db.query<Link>({
    text: `
      select mer_no, user_id, purpose from user_links
      where link_id = $1 and used_at is null and expires_at > $2`,
    values: [linkIdOf(token), now],
  })
  return row
}

/** Uses a link up. If two calls come at the same moment, only one gets the link. */
export async function takeLink(tx: Tx, token: string, now: Date): Promise<Link | undefined> {
  const [row] = await tx.query<Link>({
    text: `
      update user_links set used_at = $2
      where link_id = $1 and used_at is null and expires_at > $2 returning mer_no, user_id, purpose`,
    values: [linkIdOf(token), now],
  })
  return row
}

export async function deleteExpiredLinks(db: Queryable, now: Date, limit: number): Promise<number> {
  const rows = await db.query({
    text: `
      delete from user_links where (mer_no, link_id) in (
        select mer_no, link_id from user_links where expires_at < $1 limit $2) returning link_id`,
    values: [now, limit],
  })
  return rows.length
}
