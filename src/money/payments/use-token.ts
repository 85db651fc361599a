// Owns the table used_tokens: a wallet token pays at most one order. All attempts of that order may use the token,
// because the next attempt starts only when the previous one was certainly not charged.
import type { Clock } from '../../platform/base/clock.ts'
import type { Db } from '../../platform/postgres/db.ts'
import type { UseToken } from '../../rails/contract/settings.ts'
import { attemptOf } from '../orders/order.ts'

/**
 * Makes the function that records the use of a token. The function returns false if another order has used the token.
 * The row is committed before the acquirer is called and is never deleted. Therefore a token stays used if its order
 * fails, and an intercepted token cannot pay another order.
 */
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
