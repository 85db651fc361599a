import type { Queryable } from '../../../platform/postgres/db.ts'
import { listOf, text } from '../../../platform/postgres/lists.ts'
import { referenceText } from '../../orders/order.ts'
import { referenceKey } from './keys.ts'

const asked = listOf<string>({ reference: text((one) => one), key: text(referenceKey) }, 2)

/**
 * Finds attempts at a channel by the channel's own references, in the index of every merchant. Returns our reference of
 * each attempt by the channel's. A reference that several attempts have is left out.
 */
export async function findByReference(
  db: Queryable,
  channel: string,
  references: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.query<{ reference: string; own: string[] }>({
    text: `
      select g.reference, array_agg(${referenceText('a')}) as own
      from ${asked.text} cross join merchants m cross join lateral (
        select trade_no from order_keys where mer_no = m.mer_no and key = g.key order by created_at desc limit 2) k
      join attempts a on a.mer_no = m.mer_no and a.trade_no = k.trade_no and a.channel_ref = g.reference
      where a.channel = $1
      group by g.reference`,
    values: [channel, ...asked.values(references)],
  })
  return new Map(
    rows.flatMap(({ reference, own: [first, ...more] }) =>
      first && more.length === 0 ? [[reference, first]] : [],
    ),
  )
}
