// Owns platform_keys and platform_limits.
import type { Db, Queryable, Tx } from '../postgres/db.ts'

export type KeyPairRow = { readonly public_pem: string; readonly sealed: Buffer }

export async function selectKeyPair(db: Queryable, name: string): Promise<KeyPairRow | undefined> {
  const [row] = await db.query<KeyPairRow>({
    text: 'select public_pem, sealed from platform_keys where name = $1',
    values: [name],
  })
  return row
}

/** The first one stays. */
export async function insertKeyPair(db: Db, name: string, pair: KeyPairRow, now: Date): Promise<void> {
  await db.query({
    text: `
      insert into platform_keys (name, public_pem, sealed, made_at) values ($1, $2, $3, $4)
      on conflict (name) do nothing`,
    values: [name, pair.public_pem, pair.sealed, now],
  })
}

export type LimitsRow = {
  readonly method: string
  readonly daily: bigint | null
  readonly monthly: bigint | null
}

export function selectLimits(db: Queryable): Promise<LimitsRow[]> {
  return db.query<LimitsRow>({
    text: 'select method, daily, monthly from platform_limits order by method',
  })
}

/** An undefined limit stays as it is; null removes it. */
export type LimitsChange = {
  readonly method: string
  readonly daily: bigint | null | undefined
  readonly monthly: bigint | null | undefined
}

export async function upsertLimits(tx: Tx, { method, daily, monthly }: LimitsChange): Promise<void> {
  await tx.query({
    text: `
      insert into platform_limits as p (method, daily, monthly) values ($1, $2, $3)
      on conflict (method) do update set
        daily = case when $4 then excluded.daily else p.daily end,
        monthly = case when $5 then excluded.monthly else p.monthly end`,
    values: [method, daily ?? null, monthly ?? null, daily !== undefined, monthly !== undefined],
  })
}

export async function deleteEmptyLimits(tx: Tx, method: string): Promise<void> {
  await tx.query({
    text: 'delete from platform_limits where method = $1 and daily is null and monthly is null',
    values: [method],
  })
}
