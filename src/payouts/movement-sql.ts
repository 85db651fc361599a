import type { MovementPeriod, MovementRow } from '../channels/movement.ts'
import type { Queryable, Tx } from '../postgres/db.ts'
import { int8, listOf, text } from '../postgres/lists.ts'
import { readInPieces } from '../postgres/read-in-pieces.ts'
import type { PayoutKey } from './sql.ts'

const columns = 'p.mer_no, p.trade_no, p.rail as channel, o.currency, o.amount, p.state'
const withOrder = 'join current_orders o on o.mer_no = p.mer_no and o.trade_no = p.trade_no'

export function selectMovements(db: Queryable, keys: readonly PayoutKey[]): Promise<MovementRow[]> {
  return db.query<MovementRow>({
    text: `
      select ${columns} from ${keyed.text}
      join payouts p on p.mer_no = g.mer_no and p.trade_no = g.trade_no ${withOrder}`,
    values: keyed.values(keys),
  })
}

const keyed = listOf<PayoutKey>({
  mer_no: int8((one) => one.merNo),
  trade_no: text((one) => one.tradeNo),
})

export function readDone(tx: Tx, { channel, from, until }: MovementPeriod): AsyncGenerator<MovementRow[]> {
  return readInPieces<MovementRow>(tx, {
    text: `
      select ${columns} from payouts p ${withOrder}
      where p.rail = $1 and p.state = 'succeeded' and o.decided_at >= $2 and o.decided_at < $3`,
    values: [channel, from, until],
  })
}
