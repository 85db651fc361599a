import type { Queryable } from '../postgres/db.ts'

const LATEST = 1_000

/** Whether a payer was asked for 3-D Secure in one of the merchant's latest attempts. */
export async function hadChallenge(db: Queryable, merNo: number): Promise<boolean> {
  const rows = await db.query({
    text: `
      select from (
        select action from attempts where mer_no = $1 order by trade_no desc limit ${LATEST}
      ) as latest
      where action ->> 'kind' = 'challenge' limit 1`,
    values: [merNo],
  })
  return rows.length > 0
}
