import type { Queryable } from '../postgres/db.ts'

/** Merchant keys whose time was over at `now`, the last first. */
export function selectOldKeys(
  db: Queryable,
  merNo: number,
  now: Date,
  limit: number,
): Promise<{ keyId: string; sealed: Buffer }[]> {
  return db.query({
    text: `
      select key_id as "keyId", sealed from merchant_keys
      where mer_no = $1 and kind = 'md5' and retires_at <= $2 order by retires_at desc, key_id limit $3`,
    values: [merNo, now, limit],
  })
}
