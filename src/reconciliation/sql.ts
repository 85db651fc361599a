// Reads payments by the references on statements.
import type { MovementPeriod, MovementRow } from '../channels/movement.ts'
import type { Queryable, Tx } from '../postgres/db.ts'
import { int4, int8, listOf, text } from '../postgres/lists.ts'
import { readInPieces } from '../postgres/read-in-pieces.ts'

export type AttemptKey = { readonly merNo: number; readonly tradeNo: string; readonly attemptNo: number }

export type PaymentRow = MovementRow & { readonly attempt_no: number }

const columns = `
  a.mer_no, a.trade_no, a.attempt_no, a.channel, o.currency, coalesce(o.received, o.amount) as amount, a.state`

export function selectPayments(db: Queryable, keys: readonly AttemptKey[]): Promise<PaymentRow[]> {
  return db.query<PaymentRow>({
    text: `
      select ${columns} from ${keyed.text}
      join current_attempts a on a.mer_no = g.mer_no and a.trade_no = g.trade_no and a.attempt_no = g.attempt_no
      join current_orders o on o.mer_no = a.mer_no and o.trade_no = a.trade_no`,
    values: keyed.values(keys),
  })
}

const keyed = listOf<AttemptKey>({
  mer_no: int8((one) => one.merNo),
  trade_no: text((one) => one.tradeNo),
  attempt_no: int4((one) => one.attemptNo),
})

export function readPaid(tx: Tx, { channel, from, until }: MovementPeriod): AsyncGenerator<PaymentRow[]> {
  return readInPieces<PaymentRow>(tx, {
    text: `
      select ${columns} from current_attempts a
      join current_orders o on o.mer_no = a.mer_no and o.trade_no = a.trade_no
      where a.channel = $1 and a.state = 'succeeded' and a.decided_at >= $2 and a.decided_at < $3`,
    values: [channel, from, until],
  })
}
