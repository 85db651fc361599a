// Our own worker as an operator runs it: `src/gateway/main.ts` with the role `worker`, and the outbox of fifty
// merchants.

import { enqueueNotifications } from '../../src/money/notifications/enqueue-notifications.ts'
import { pauseMerchant } from '../../src/money/notifications/pause-merchant.ts'
import { makeId } from '../../src/platform/base/id.ts'
import { startGateway } from '../gateway-under-test.ts'
import type { Place } from '../place.ts'
import { sandboxShape } from '../shape.ts'
import { BAD_MERCHANTS, type BadHosts, badNotifications } from './bad-hosts.ts'
import { type Deliverer, fieldsOf } from './deliverer.ts'

export type OwnOptions = {
  readonly name: string
  readonly url: string
  /** The number of waiting rows: half of them are not due yet, the others belong to a paused merchant. */
  readonly pending: number
  /** The bad servers of other merchants of the same gateway. */
  readonly beside?: BadHosts | undefined
  readonly profileTo?: string | undefined
}

export async function startOurs(
  place: Place,
  { name, url, pending, beside, profileTo }: OwnOptions,
): Promise<Deliverer> {
  const profiling = { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profileTo}` }
  const gateway = await startGateway(place, {
    name,
    shape: sandboxShape,
    settings: { TOLLGATE_ROLE: 'worker', ...(profileTo !== undefined && profiling) },
  })
  const { db } = gateway.books
  const [quiet, ...others] = gateway.shops.map(({ merNo }) => merNo)
  if (quiet === undefined) throw new Error('there is no merchant')
  const bad = beside === undefined ? [] : others.slice(0, BAD_MERCHANTS)
  const shops = others.slice(bad.length)
  await pauseMerchant(db, quiet, new Date())
  if (pending > 0) {
    await db.query({ text: pendingText, values: [quiet, shops, Math.ceil(pending / 2), url] })
    await db.query({ text: 'vacuum analyze notifications' })
    // Everything is written to disk now, so that the server does not write while others are measured.
    await db.query({ text: 'checkpoint' })
  }
  return {
    name,
    pid: gateway.nodes[0]?.pid ?? 0,
    async enqueue(first, count) {
      const at = new Date()
      const rows = Array.from({ length: count }, (_, offset) => {
        const merNo = shops[(first + offset) % shops.length] ?? quiet
        const tradeNo = makeId('T', merNo, at)
        return {
          merNo,
          tradeNo,
          event: 'payment',
          url,
          fields: fieldsOf(first + offset, tradeNo),
          at,
          isFirst: true,
        } as const
      })
      const more = beside === undefined ? [] : badNotifications(bad, beside, count)
      await db.transaction((tx) => enqueueNotifications(tx, [...rows, ...more]))
    },
    async isIdle() {
      const text = `
        select from notifications where due_at <= now() and not parked and mer_no <> all ($1)
        order by due_at limit 1`
      return (await db.query({ text, values: [bad] })).length === 0
    },
    stop: gateway.stop,
  }
}

// The outbox as it is after some time: due rows of the paused merchant are parked in the merchant's own lane.
const pendingText = `
  insert into notifications (mer_no, notification_id, trade_no, event, url, fields, made_at, due_at, parked, attempts)
  select mer_no, 'N0' || lpad(at::text, 25, '0'), 'T0' || lpad(at::text, 25, '0'), 'payment', $4,
    json_build_object('merOrderNo', 'P' || at, 'code', '0', 'message', 'Approved or completed successfully'),
    now(), due_at, parked, 1
  from (
    select at, case when at % 2 = 0 then $1::bigint else ($2::bigint[])[1 + at / 2 % cardinality($2::bigint[])] end as mer_no,
      at % 2 = 0 as parked,
      case when at % 2 = 0 then now() - interval '1 minute' else now() + interval '1 hour' end
        + at * interval '1 millisecond' * case when at % 2 = 0 then -1 else 1 end as due_at
    from generate_series(1, $3::int * 2) at
  ) waiting`
