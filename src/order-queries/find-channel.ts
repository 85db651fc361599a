import type { AttemptKey } from '../orders/order.ts'
import type { Queryable } from '../postgres/db.ts'

/** The channel of an attempt; undefined when there is no such attempt. */
export async function findChannelOf(
  db: Queryable,
  { merNo, tradeNo, attemptNo }: AttemptKey,
): Promise<string | undefined> {
  const [row] = await db.query<{ channel: string }>({
    text: 'select channel from attempts where mer_no = $1 and trade_no = $2 and attempt_no = $3',
    values: [merNo, tradeNo, attemptNo],
  })
  return row?.channel
}
