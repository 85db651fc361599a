// Owns used_tokens: a wallet token pays one order. Its attempt may use it again, and so may the order's next attempt, which
// starts only when it is certain that the previous one was not charged.
import type { Clock } from '../base/clock.ts'
import type { UseToken } from '../channels/settings.ts'
import { attemptOf } from '../orders/order.ts'
import type { Db } from '../postgres/db.ts'

export function createUseToken({ db, clock }: { readonly db: Db; readonly clock: Clock }): UseToken {
  return async ({ merNo, tokenId }, reference) => {
    const [taken] = await db.query({
      text: `insert into used_tokens (mer_no, token_id, reference, used_at) values ($1, $2, $3, $4)
        on conflict (mer_no, token_id) do nothing returning token_id`,
      values: [merNo, tokenId, reference, clock.now()],
    })
    if (taken !== undefined) return true
    const [used] = await db.query<{ reference: string }>({
      text: 'select reference from used_tokens where mer_no = $1 and token_id = $2',
      values: [merNo, tokenId],
    })
    return used !== undefined && isSameOrder(used.reference, reference)
  }
}

function isSameOrder(one: string, other: string): boolean {
  const tradeNo = attemptOf(one)?.tradeNo
  return one === other || (tradeNo !== undefined && tradeNo === attemptOf(other)?.tradeNo)
}
