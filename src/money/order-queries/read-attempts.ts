// Reads attempts with the fields about the payer and the outcome that the risk pages of the back office use. The rows
// are wide, so no other code reads them.
import type { MaskedCard } from '../../platform/base/card-number.ts'
import { isObject } from '../../platform/base/object.ts'
import { type Db, inTimeRange } from '../../platform/postgres/db.ts'
import { readInPieces } from '../../platform/postgres/read-in-pieces.ts'
import type { Details } from '../orders/new-order.ts'
import type { OrderKey, StateNumber } from '../orders/order.ts'

export type PastAttempt = OrderKey & {
  readonly attemptNo: number
  readonly isLast: boolean
  readonly at: Date
  readonly method: string
  readonly amount: bigint
  readonly currency: string
  readonly usdValue: bigint
  readonly state: StateNumber
  readonly refunded: bigint
  readonly chargebackState: string | null
  readonly card: MaskedCard | undefined
  /** The fields of the merchant's request, together with the fields that the payer entered. */
  readonly details: Details
}

type Row = Omit<PastAttempt, 'card' | 'details'> & {
  readonly card_first6: string | null
  readonly card_last4: string | null
  readonly card_brand: string | null
  readonly card_fingerprint: string | null
  readonly details: string | null
  readonly entered: unknown
}

const columns = `
  o.mer_no::float8 as "merNo", o.trade_no as "tradeNo", a.attempt_no as "attemptNo", a.created_at as at, o.method,
  o.amount, o.currency, o.usd_value as "usdValue", o.state, o.refunded, o.chargeback_state as "chargebackState",
  a.card_first6, a.card_last4, a.card_brand, a.card_fingerprint, s.details, a.details as entered,
  not exists (select from attempts later
    where later.mer_no = a.mer_no and later.trade_no = a.trade_no and later.attempt_no > a.attempt_no) as "isLast"`

const tables = `
  orders o
  join attempts a on a.mer_no = o.mer_no and a.trade_no = o.trade_no
  left join order_details s on s.mer_no = o.mer_no and s.trade_no = o.trade_no`

export type AttemptSpan = {
  readonly from: Date
  readonly until: Date
  /** The merchant number, or 0 for all merchants. */
  readonly merNo: number
}

/** Calls `take` for each attempt of the orders created in the span, in order of time, until `take` returns false. */
export function readAttempts(
  db: Db,
  { from, until, merNo }: AttemptSpan,
  take: (attempt: PastAttempt) => boolean,
): Promise<void> {
  return db.transaction(async (tx) => {
    await tx.query({ text: inTimeRange })
    const found = readInPieces<Row>(tx, {
      text: `select ${columns} from ${tables}
        where o.created_at >= $1 and o.created_at < $2 and o.kind = 'payment' and ($3::bigint = 0 or o.mer_no = $3)
        order by a.created_at, a.trade_no, a.attempt_no`,
      values: [from, until, merNo],
    })
    for await (const rows of found) if (!rows.every((row) => take(toAttempt(row)))) return
  })
}

export async function readLastAttempt(
  db: Db,
  { merNo, tradeNo }: OrderKey,
): Promise<PastAttempt | undefined> {
  const [row] = await db.query<Row>({
    text: `select ${columns} from ${tables}
      where o.mer_no = $1 and o.trade_no = $2 and o.kind = 'payment' order by a.attempt_no desc limit 1`,
    values: [merNo, tradeNo],
  })
  return row && toAttempt(row)
}

function toAttempt({
  card_first6,
  card_last4,
  card_brand,
  card_fingerprint,
  entered,
  ...row
}: Row): PastAttempt {
  const details: unknown = JSON.parse(row.details ?? '{}')
  return {
    ...row,
    card: cardOf({ card_first6, card_last4, card_brand, card_fingerprint }),
    details: { ...(isObject(details) && details), ...(isObject(entered) && entered) },
  }
}

type CardColumns = Pick<Row, 'card_first6' | 'card_last4' | 'card_brand' | 'card_fingerprint'>

function cardOf({
  card_first6,
  card_last4,
  card_brand,
  card_fingerprint,
}: CardColumns): MaskedCard | undefined {
  if (card_first6 === null || card_fingerprint === null) return undefined
  const [last4, brand] = [card_last4 ?? '', card_brand ?? '']
  return { first6: card_first6, last4, brand, fingerprint: card_fingerprint }
}
