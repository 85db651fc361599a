import { merNoOf } from '../../platform/base/id.ts'
import type { Queryable } from '../../platform/postgres/db.ts'
import { type AttemptKey, attemptOf, type OrderKey } from '../orders/order.ts'

type AttemptCard = { readonly first6: string; readonly last4: string; readonly fingerprint: string }

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

/**
 * Returns the account to which the payer of this attempt was asked to pay. The account is the channel's own reference
 * of the attempt, such as an address or a CLABE.
 */
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

const LATEST = 1_000

/** True if a payer was asked for 3-D Secure in one of the merchant's latest attempts. */
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

/**
 * Returns what is stored about 3-D Secure in the attempt that took the money, or else in the latest attempt. `passed`:
 * the payer was challenged, and the payment succeeded. `asked`: the payer was challenged, and the payment has not
 * succeeded. Undefined if no challenge is stored, for example because the issuer let the payment pass without one.
 */
export async function findChallenge(
  db: Queryable,
  { merNo, tradeNo }: OrderKey,
): Promise<'passed' | 'asked' | undefined> {
  const [row] = await db.query<{ asked: boolean | null; state: string }>({
    text: `select action ->> 'kind' = 'challenge' as asked, state from attempts
      where mer_no = $1 and trade_no = $2 order by state = 'succeeded' desc, attempt_no desc limit 1`,
    values: [merNo, tradeNo],
  })
  if (row?.asked !== true) return undefined
  return row.state === 'succeeded' ? 'passed' : 'asked'
}
