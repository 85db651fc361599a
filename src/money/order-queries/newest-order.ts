// Finds the newest order, to look for it in a copy of this database.
import type { Queryable } from '../../platform/postgres/db.ts'

export async function findNewestOrder(db: Queryable): Promise<string | undefined> {
  const [row] = await db.query<{ trade_no: string }>({
    text: 'select trade_no from orders order by created_at desc limit 1',
  })
  return row?.trade_no
}

export async function hasOrder(db: Queryable, merNo: number, tradeNo: string): Promise<boolean> {
  const text = 'select from orders where mer_no = $1 and trade_no = $2'
  return (await db.query({ text, values: [merNo, tradeNo] })).length > 0
}
