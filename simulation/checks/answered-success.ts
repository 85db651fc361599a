// Compares the merchants' accepted orders with the gateway's tables, in both directions.
import { parseDecimal } from '../../src/platform/base/money.ts'
import type { Check, Finding } from '../check.ts'
import type { SentOrder } from '../witness.ts'
import { acceptedData, textsOf } from './answers.ts'
import { type OrderRow, orderKey, readOrders, wasPaid } from './read-orders.ts'

export const answeredSuccess: Check = {
  name: 'answered success is booked once',
  promise: 'Each order that was answered as accepted exists once, and each answered success is booked once.',
  async run(world) {
    const rows = await readOrders(world)
    const findings: Finding[] = []
    const sent = new Set<string>()
    let compared = 0
    for (const order of world.witness.orders.values()) {
      const key = orderKey(order.shop.merNo, order.number)
      sent.add(key)
      const accepted = acceptedData(order.answers)
      if (accepted.length === 0) continue
      compared += accepted.length
      const row = rows.get(key)
      for (const what of complaintsOf(order, row)) findings.push({ what, about: order.number, rows: row })
    }
    for (const [key, row] of rows) {
      compared += 1
      if (!sent.has(key) && row.made_by === '')
        findings.push({ what: 'nobody sent this order', about: row.mer_order_no, rows: row })
      if (row.events !== row.version - 1)
        findings.push({ what: 'a change of state has no row of history', about: row.mer_order_no, rows: row })
    }
    return { compared, findings }
  },
}

function complaintsOf(order: SentOrder, row: OrderRow | undefined): string[] {
  if (row === undefined) return ['was accepted and does not exist']
  const data = acceptedData(order.answers)
  const tradeNos = textsOf(data, 'tradeNo')
  const isAnsweredPaid = data.some(({ payCode }) => String(payCode) === '0')
  return [
    ...(tradeNos.size > 1 ? [`its answers have several trade numbers: ${[...tradeNos].join(', ')}`] : []),
    ...(tradeNos.size > 0 && !tradeNos.has(row.trade_no) ? ['its answers have another trade number'] : []),
    ...(hasSameMoney(order, row) ? [] : ['has another amount or currency than was sent']),
    ...((order.kind === 'payout') === (row.kind === 'payout') ? [] : [`is a ${row.kind}`]),
    ...(isAnsweredPaid ? unpaidComplaints(row) : []),
  ]
}

function unpaidComplaints(row: OrderRow): string[] {
  // A returned payout ends as failed, but it was sent before.
  if (row.kind === 'payout') return row.sent_entries === 1 ? [] : [`was sent ${row.sent_entries} times`]
  if (!wasPaid(row)) return [`was answered as successful and is in state ${row.state}`]
  const paid = row.received === null || row.received > row.amount ? row.amount : row.received
  return [
    ...(row.payment_entries === 1 ? [] : [`has ${row.payment_entries} payment entries`]),
    ...(row.payment_amount === paid ? [] : [`was booked with ${row.payment_amount}, not ${paid}`]),
    ...(row.succeeded_attempts === 1 ? [] : [`has ${row.succeeded_attempts} succeeded attempts`]),
  ]
}

function hasSameMoney(order: SentOrder, row: OrderRow): boolean {
  const currency = order.currency === 'PER' ? 'PEN' : order.currency
  return row.currency === currency && row.amount === parseDecimal(order.amount, currency)
}
