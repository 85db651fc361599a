import type { AttemptKey } from '../orders/order.ts'
import type { Queryable } from '../postgres/db.ts'

export type AttemptCard = { readonly first6: string; readonly last4: string; readonly fingerprint: string }

/** The card of an attempt; undefined if it was made without one. */
export async function findCardOf(
  db: Queryable,
  { merNo, tradeNo, attemptNo }: AttemptKey,
): Promise<AttemptCard | undefined> {
  const [card] = await db.query<AttemptCard>({
    text: `select card_first6 as first6, card_last4 as last4, card_fingerprint as fingerprint from attempts
      where mer_no = $1 and trade_no = $2 and attempt_no = $3 and card_fingerprint is not null`,
    values: [merNo, tradeNo, attemptNo],
  })
  return card
}
