import type { Queryable, Tx } from '../postgres/db.ts'

export async function selectMode(db: Queryable): Promise<string | undefined> {
  const rows = await db.query<{ mode: string }>({ text: 'select mode from database_mode' })
  return rows[0]?.mode
}

/** Throws if the database refuses writes. The row lock is released at once and leaves no dead row. */
export async function requireWrites(db: Queryable): Promise<void> {
  await db.query({ text: 'select from database_mode for no key update skip locked' })
}

/** Throws if the disk has no space for a megabyte. */
export async function requireSpace(db: Queryable): Promise<void> {
  await db.query({
    text: 'create temporary table space_probe on commit drop as select generate_series(1, 30000) as number',
  })
}

export async function insertMode(tx: Tx, mode: string): Promise<void> {
  await tx.query({
    text: 'insert into database_mode (mode, marked_at) values ($1, now()) on conflict (singleton) do nothing',
    values: [mode],
  })
}
