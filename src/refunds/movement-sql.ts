import type { MovementPeriod, MovementRow } from '../channels/movement.ts'
import type { Queryable, Tx } from '../postgres/db.ts'
import { int8, listOf, text } from '../postgres/lists.ts'
import { readInPieces } from '../postgres/read-in-pieces.ts'
import type { RefundKey } from './sql.ts'

export type RefundMovementRow = MovementRow & { readonly refund_no: string }

const columns = 'r.mer_no, r.trade_no, r.refund_no, r.channel, r.currency, r.amount, r.state'

export function selectMovements(db: Queryable, keys: readonly RefundKey[]): Promise<RefundMovementRow[]> {
  return db.query<RefundMovementRow>({
    text: `select ${columns} from ${keyed.text} join refunds r using (mer_no, refund_no)`,
    values: keyed.values(keys),
  })
}

const keyed = listOf<RefundKey>({
  mer_no: int8((one) => one.merNo),
  refund_no: text((one) => one.refundNo),
})

export function readDone(
  tx: Tx,
  { channel, from, until }: MovementPeriod,
): AsyncGenerator<RefundMovementRow[]> {
  return readInPieces<RefundMovementRow>(tx, {
    text: `
      select ${columns} from refunds r
      where r.channel = $1 and r.state = 'succeeded' and r.decided_at >= $2 and r.decided_at < $3`,
    values: [channel, from, until],
  })
}
