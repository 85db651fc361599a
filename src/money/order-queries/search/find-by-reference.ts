import { OperatorRefusal } from '../../../platform/errors/catalogue.ts'
import { type Db, inKeyOrder } from '../../../platform/postgres/db.ts'
import { listOf, text } from '../../../platform/postgres/lists.ts'
import { referenceText } from '../../orders/order.ts'
import { referenceKey } from './keys.ts'
import { readProgress } from './verify-index.ts'

const asked = listOf<string>({ reference: text((one) => one), key: text(referenceKey) }, 2)

/**
 * Finds attempts of any merchant at one channel by the channel's references. Returns our reference of the attempt for
 * each reference of the channel. A reference that several attempts share is left out. The call is refused while the
 * search index is rebuilt, because attempts are then missing in the index, so a reference could seem unknown or unique.
 */
export async function findByReference(
  db: Db,
  channel: string,
  references: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.transaction(async (tx) => {
    if ((await readProgress(tx))?.rebuilding)
      throw new OperatorRefusal(
        'the search is being rebuilt, and does not know all references of channels yet: import the statement again later',
      )
    await tx.query({ text: inKeyOrder })
    return tx.query<{ reference: string; own: string[] }>({
      text: `
      select g.reference, array_agg(${referenceText('a')}) as own
      from ${asked.text} cross join merchants m cross join lateral (
        select a.mer_no, a.trade_no, a.attempt_no from order_keys k
        cross join lateral (
          select mer_no, trade_no, attempt_no from attempts
          where mer_no = k.mer_no and trade_no = k.trade_no and channel = $1 and channel_ref = g.reference
        ) a
        where k.mer_no = m.mer_no and k.key = g.key
        order by k.created_at desc limit 2) a
      group by g.reference`,
      values: [channel, ...asked.values(references)],
    })
  })
  return new Map(
    rows.flatMap(({ reference, own: [first, ...more] }) =>
      first && more.length === 0 ? [[reference, first]] : [],
    ),
  )
}
