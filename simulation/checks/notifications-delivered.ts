// Compares the notifications that merchants' servers received with the outbox: every delivery has a row and a correct
// signature, and every row that counts as delivered was acknowledged.
import type { Check, Finding } from '../check.ts'
import type { Notification } from '../world/merchants.ts'
import type { World } from '../world/world.ts'
import {
  fieldsOf,
  hasRightSign,
  hasRightWebhookSignature,
  isRotated,
  type Keys,
  readKeys,
} from './notification-signs.ts'

type Row = {
  readonly notification_id: string
  readonly mer_no: bigint
  readonly mer_order_no: string
  readonly event: string
  readonly url: string
  readonly fields: Readonly<Record<string, unknown>>
  readonly body: string | null
  readonly is_due: boolean
  readonly is_delivered: boolean
  readonly deliveries: number
}

const MOST_DELIVERIES = 9

export const notificationsDelivered: Check = {
  name: 'each notification was delivered or is due',
  promise:
    'Each notification was acknowledged, is due, or was tried nine times; what merchants receive is signed and always the same.',
  async run(world) {
    const received = await world.merchants.received()
    const rows = new Map((await readRows(world)).map((row) => [row.notification_id, row]))
    const keys = await readKeys(world)
    const byId = Map.groupBy(received, ({ webhookId }) => webhookId)
    const findings: Finding[] = []
    for (const [id, deliveries] of byId) {
      const row = rows.get(id)
      const what =
        row === undefined ? 'no row has this notification' : deliveryComplaint(row, deliveries, keys)
      if (what !== undefined)
        findings.push({ what, about: row?.mer_order_no ?? id, rows: { row, deliveries } })
    }
    for (const [id, row] of rows) {
      const what = rowComplaint(row, byId.get(id) ?? [])
      if (what !== undefined)
        findings.push({ what, about: row.mer_order_no, rows: { row, deliveries: byId.get(id) } })
    }
    return { compared: received.length + rows.size, findings }
  },
}

function rowComplaint(row: Row, deliveries: readonly Notification[]): string | undefined {
  if (row.is_delivered)
    return deliveries.some(({ acknowledged }) => acknowledged)
      ? undefined
      : `${row.event} counts as delivered, and nobody acknowledged it`
  if (row.is_due || row.deliveries >= MOST_DELIVERIES) return undefined
  return `${row.event} was given up after ${row.deliveries} deliveries`
}

function deliveryComplaint(row: Row, deliveries: readonly Notification[], keys: Keys): string | undefined {
  const merNo = Number(row.mer_no)
  const bodies = new Set(deliveries.map(({ body }) => body))
  // A body that is not stored is built again for each delivery. If the merchant's key has changed in the meantime, the
  // bodies differ.
  if (bodies.size > 1 && !isRotated(merNo, keys)) return 'the same notification came with several bodies'
  for (const delivery of deliveries) {
    if (row.body !== null && row.body !== delivery.body && !isRotated(merNo, keys))
      return 'the body is not the one that was stored'
    if (new URL(row.url).pathname !== delivery.path) return 'it came to another address'
    if (!saysTheSame(row, delivery)) return 'the body says something else than its row'
    if (!hasRightSign(row.event, merNo, delivery, keys)) return 'sign is wrong'
    if (!hasRightWebhookSignature(merNo, delivery, keys)) return 'webhook-signature is wrong'
  }
  return undefined
}

function saysTheSame({ fields }: Row, delivery: Notification): boolean {
  const { sign: _sign, ...got } = fieldsOf(delivery)
  const names = Object.keys(fields)
  return (
    names.length === Object.keys(got).length &&
    names.every((name) => String(fields[name]) === String(got[name]))
  )
}

async function readRows({ db, shops }: World): Promise<Row[]> {
  return await db.query<Row>({
    text: `
      select n.notification_id, n.mer_no, coalesce(o.mer_order_no, '') as mer_order_no, n.event, n.url, n.fields, n.body,
        n.due_at is not null or n.leased_until is not null as is_due, n.delivered_at is not null as is_delivered,
        n.attempts - n.round_start as deliveries
      from notifications n left join orders o using (mer_no, trade_no)
      where n.mer_no = any ($1::bigint[])`,
    values: [shops.map(({ merNo }) => merNo)],
  })
}
