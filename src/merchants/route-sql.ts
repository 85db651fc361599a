import type { Queryable, Tx } from '../postgres/db.ts'
import type { RouteRow } from './sql.ts'

export async function upsertRoute(tx: Tx, merNo: number, route: RouteRow): Promise<void> {
  const { method, channel, priority, weight } = route
  await tx.query({
    text: `insert into merchant_channels (mer_no, method, channel, priority, weight) values ($1, $2, $3, $4, $5)
      on conflict (mer_no, method, channel) do update set priority = excluded.priority, weight = excluded.weight`,
    values: [merNo, method, channel, priority, weight],
  })
}

export type RouteOfMerchant = {
  readonly mer_no: bigint
  readonly method: string
  readonly channel: string
}

/** Those of all merchants that may still be paid. */
export async function selectRoutes(db: Queryable): Promise<RouteOfMerchant[]> {
  return db.query<RouteOfMerchant>({
    text: `select r.mer_no, r.method, r.channel from merchant_channels r join merchants m using (mer_no)
      where m.state <> 'closed' order by r.mer_no, r.method, r.channel`,
  })
}

/** False when there was none. */
export async function deleteRoute(
  tx: Tx,
  merNo: number,
  { method, channel }: Pick<RouteRow, 'method' | 'channel'>,
): Promise<boolean> {
  const rows = await tx.query({
    text: 'delete from merchant_channels where mer_no = $1 and method = $2 and channel = $3 returning channel',
    values: [merNo, method, channel],
  })
  return rows.length > 0
}
