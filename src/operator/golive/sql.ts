import type { Queryable } from '../../platform/postgres/db.ts'

/**
 * Returns an identity that distinguishes a database from its copies. A copy by pg_restore has another database number
 * (OID). A copy of the files runs on a server with another start time. A restart changes the identity of the live
 * database. An earlier proof that was made on the live database then passes for a proof of a copy.
 */
export async function selectIdentity(db: Queryable): Promise<string> {
  const [row] = await db.query<{ identity: string }>({
    text: `
      select md5(concat_ws(' ', system_identifier, d.oid, extract(epoch from pg_postmaster_start_time()))) as identity
      from pg_control_system(), pg_database d where d.datname = current_database()`,
  })
  return row?.identity ?? ''
}
