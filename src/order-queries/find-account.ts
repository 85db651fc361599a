import { merNoOf } from '../base/id.ts'
import { attemptOf } from '../orders/order.ts'
import type { Queryable } from '../postgres/db.ts'

/** What a payer was asked to pay to by the attempt with this reference: the channel's own reference, such as an address or a CLABE. */
export async function findAccount(db: Queryable, reference: string): Promise<string | undefined> {
  const attempt = attemptOf(reference)
  if (attempt === undefined) return undefined
  const { tradeNo, attemptNo } = attempt
  const [row] = await db.query<{ channel_ref: string | null }>({
    text: 'select channel_ref from attempts where mer_no = $1 and trade_no = $2 and attempt_no = $3',
    values: [merNoOf(tradeNo) ?? 0, tradeNo, attemptNo],
  })
  return row?.channel_ref ?? undefined
}
