import type { MovementPeriod, MovementRow } from '../channels/movement.ts'
import type { Queryable, Tx } from '../postgres/db.ts'
import { int4, int8, listOf, text } from '../postgres/lists.ts'
import { readInPieces } from '../postgres/read-in-pieces.ts'

export type AttemptKey = { readonly merNo: number; readonly tradeNo: string; readonly attemptNo: number }

export type ChargebackMovementRow = MovementRow & { readonly attempt_no: number }

// The channel took the money once, whether the chargeback was won or lost.
const columns = `c.mer_no, c.trade_no, a.attempt_no, a.channel, c.currency, c.amount, 'succeeded' as state`

const isBooked = `c.state in ('open', 'won', 'lost')`

/** By the attempt that was charged back; only the latest chargeback of each order. */
export function selectMovements(
  db: Queryable,
  keys: readonly AttemptKey[],
): Promise<ChargebackMovementRow[]> {
  return db.query<ChargebackMovementRow>({
    text: `
      select distinct on (c.mer_no, c.trade_no) ${columns}
      from ${keyed.text}
      join current_attempts a on a.mer_no = g.mer_no and a.trade_no = g.trade_no and a.attempt_no = g.attempt_no
      join chargebacks c on c.mer_no = a.mer_no and c.trade_no = a.trade_no and ${isBooked}
      order by c.mer_no, c.trade_no, c.opened_at desc, c.chargeback_id desc`,
    values: keyed.values(keys),
  })
}

const keyed = listOf<AttemptKey>({
  mer_no: int8((one) => one.merNo),
  trade_no: text((one) => one.tradeNo),
  attempt_no: int4((one) => one.attemptNo),
})

export function readOpened(
  tx: Tx,
  { channel, from, until }: MovementPeriod,
): AsyncGenerator<ChargebackMovementRow[]> {
  return readInPieces<ChargebackMovementRow>(tx, {
    text: `
      select ${columns} from chargebacks c
      join current_attempts a on a.mer_no = c.mer_no and a.trade_no = c.trade_no and a.state = 'succeeded'
      where a.channel = $1 and ${isBooked} and c.opened_at >= $2 and c.opened_at < $3`,
    values: [channel, from, until],
  })
}
