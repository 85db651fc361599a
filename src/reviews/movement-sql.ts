// Returns of rejected payments, in the form of a channel's statement.
import type { MovementPeriod, MovementRow } from '../channels/movement.ts'
import type { Queryable, Tx } from '../postgres/db.ts'
import { int4, int8, listOf, text } from '../postgres/lists.ts'
import { readInPieces } from '../postgres/read-in-pieces.ts'
import type { ReturnKey } from './review.ts'

export type ReturnRow = MovementRow & { readonly returns: number }

const money = `
  join current_orders o on o.mer_no = v.mer_no and o.trade_no = v.trade_no
  join current_attempts a on a.mer_no = v.mer_no and a.trade_no = v.trade_no and a.state = 'succeeded'`

export function selectReturns(db: Queryable, keys: readonly ReturnKey[]): Promise<ReturnRow[]> {
  return db.query<ReturnRow>({
    text: `
      select v.mer_no, v.trade_no, g.returns, a.channel, o.currency, o.amount,
        case when g.returns < v.returns or v.state not in ('returning', 'rejected') then 'failed'
          when v.state = 'rejected' then 'succeeded' else 'open' end as state
      from ${keyed.text}
      join reviews v on v.mer_no = g.mer_no and v.trade_no = g.trade_no and g.returns <= v.returns
      ${money}`,
    values: keyed.values(keys),
  })
}

const keyed = listOf<ReturnKey>({
  mer_no: int8((one) => one.merNo),
  trade_no: text((one) => one.tradeNo),
  returns: int4((one) => one.returns),
})

export function readReturned(tx: Tx, { channel, from, until }: MovementPeriod): AsyncGenerator<ReturnRow[]> {
  return readInPieces<ReturnRow>(tx, {
    text: `
      select v.mer_no, v.trade_no, v.returns, a.channel, o.currency, o.amount, 'succeeded' as state
      from reviews v ${money}
      where a.channel = $1 and v.state = 'rejected' and v.returns > 0 and o.decided_at >= $2 and o.decided_at < $3`,
    values: [channel, from, until],
  })
}
