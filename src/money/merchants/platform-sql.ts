// Owns platform_keys.
import type { Db, Queryable } from '../../platform/postgres/db.ts'

export type KeyPairRow = { readonly public_pem: string; readonly sealed: Buffer }

export async function selectKeyPair(db: Queryable, name: string): Promise<KeyPairRow | undefined> {
  const [row] = await db.query<KeyPairRow>({
    text: 'select public_pem, sealed from platform_keys where name = $1',
    values: [name],
  })
  return row
}

/** Does nothing if a key pair with this name exists. */
export async function insertKeyPair(db: Db, name: string, pair: KeyPairRow, now: Date): Promise<void> {
  await db.query({
    text: `
      insert into platform_keys (name, public_pem, sealed, made_at) values ($1, $2, $3, $4)
      on conflict (name) do nothing`,
    values: [name, pair.public_pem, pair.sealed, now],
  })
}
