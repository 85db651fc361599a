import type { Queryable } from '../postgres/db.ts'

/**
 * Tells a database from its copies: one made with pg_restore has another number, one made of its files another server, which
 * was started at another time.
 */
export async function selectIdentity(db: Queryable): Promise<string> {
  const [row] = await db.query<{ identity: string }>({
    text: `
      select md5(concat_ws(' ', system_identifier, d.oid, extract(epoch from pg_postmaster_start_time()))) as identity
      from pg_control_system(), pg_database d where d.datname = current_database()`,
  })
  return row?.identity ?? ''
}
