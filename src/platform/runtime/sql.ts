import type { Queryable, Tx } from '../postgres/db.ts'

/** The stored mode of the database; undefined if there is none yet. */
export async function selectMode(db: Queryable): Promise<string | undefined> {
  const rows = await db.query<{ mode: string }>({ text: 'select mode from database_mode' })
  return rows[0]?.mode
}

export async function insertMode(tx: Tx, mode: string): Promise<void> {
  await tx.query({
    text: 'insert into database_mode (mode, marked_at) values ($1, now()) on conflict (singleton) do nothing',
    values: [mode],
  })
}
