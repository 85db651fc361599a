import type { Queryable } from '../../postgres/db.ts'

/** False if all tries of this time are used. One statement: two calls at once cannot take the same last try. */
export async function takeTryRow(
  db: Queryable,
  { subject, most, now, since }: { subject: string; most: number; now: Date; since: Date },
): Promise<boolean> {
  const rows = await db.query({
    name: 'tries.take',
    text: `
      insert into sign_in_tries (subject, since, tries) values ($1, $3, 1)
      on conflict (subject) do update set
        tries = case when sign_in_tries.since <= $4 then 1 else sign_in_tries.tries + 1 end,
        since = case when sign_in_tries.since <= $4 then $3 else sign_in_tries.since end
      where sign_in_tries.since <= $4 or sign_in_tries.tries < $2
      returning subject`,
    values: [subject, most, now, since],
  })
  return rows.length > 0
}

export async function selectSince(db: Queryable, subject: string): Promise<Date | undefined> {
  const [row] = await db.query<{ since: Date }>({
    text: 'select since from sign_in_tries where subject = $1',
    values: [subject],
  })
  return row?.since
}

export async function returnTryRow(db: Queryable, subject: string): Promise<void> {
  await db.query({
    name: 'tries.return',
    text: 'update sign_in_tries set tries = tries - 1 where subject = $1 and tries > 0',
    values: [subject],
  })
}

/** Rows of the past: tries, challenges and links. Each in slices; returns how many were deleted. */
export async function deleteExpired(
  db: Queryable,
  { now, triesBefore, limit }: { now: Date; triesBefore: Date; limit: number },
): Promise<number> {
  const rows = await db.query<{ deleted: number }>({
    text: `
      with tries as (
        delete from sign_in_tries where subject in (
          select subject from sign_in_tries where since < $2 limit $3) returning 1),
      challenges as (
        delete from session_challenges where (mer_no, session_id, purpose) in (
          select mer_no, session_id, purpose from session_challenges where expires_at < $1 limit $3) returning 1),
      links as (
        delete from user_links where (mer_no, link_id) in (
          select mer_no, link_id from user_links where expires_at < $1 limit $3) returning 1),
      companies as (
        delete from unconfirmed_companies where email in (
          select email from unconfirmed_companies where expires_at < $1 limit $3) returning 1)
      select greatest((select count(*) from tries), (select count(*) from challenges),
        (select count(*) from links), (select count(*) from companies))::int as deleted`,
    values: [now, triesBefore, limit],
  })
  return rows[0]?.deleted ?? 0
}
