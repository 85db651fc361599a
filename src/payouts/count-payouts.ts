import type { Queryable } from '../postgres/db.ts'

export type PayoutCounts = {
  /** Wait for the rail. */
  readonly open: number
  /** Wait for an operator. */
  readonly waiting: number
}

export async function countPayouts(db: Queryable): Promise<PayoutCounts> {
  const [row] = await db.query<PayoutCounts>({
    text: `select
        (select count(*)::int from payouts where ask_at is not null and state <> 'awaiting_account') as open,
        (select count(*)::int from payouts where state = 'awaiting_approval') as waiting`,
  })
  return row ?? { open: 0, waiting: 0 }
}
