import type { Queryable } from '../postgres/db.ts'

/** A payment that succeeded at a channel. */
export type ProvenChannel = {
  readonly channel: string
  readonly tradeNo: string
  readonly method: string
  readonly isRefunded: boolean
}

type ProvenRow = { channel: string; trade_no: string; method: string; refunded: boolean }

/** For every channel that was paid since then, one payment; a refunded one if there is one. */
export async function listProvenChannels(db: Queryable, since: Date): Promise<ProvenChannel[]> {
  const rows = await db.query<ProvenRow>({
    text: `
      select distinct on (a.channel) a.channel, o.trade_no, o.method, r.refund_no is not null as refunded
      from orders o
      join attempts a on a.mer_no = o.mer_no and a.trade_no = o.trade_no and a.state = 'succeeded'
      left join refunds r on r.mer_no = o.mer_no and r.trade_no = o.trade_no and r.state = 'succeeded'
      where o.created_at >= $1
      order by a.channel, refunded desc, o.created_at desc`,
    values: [since],
  })
  return rows.map(({ channel, trade_no, method, refunded }) => {
    return { channel, tradeNo: trade_no, method, isRefunded: refunded }
  })
}
