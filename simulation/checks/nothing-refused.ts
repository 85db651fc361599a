// Compares refusals with the gateway's tables: a refused request has moved no money.
import type { Check, Finding } from '../check.ts'
import type { SentOrder } from '../witness.ts'
import { saysFailed, saysRefused } from './answers.ts'
import { type OrderRow, orderKey, readOrders, wasPaid } from './read-orders.ts'

export const nothingRefused: Check = {
  name: 'nothing refused was booked',
  promise: 'An order that was refused does not exist, or it failed and moved no money.',
  async run(world) {
    const rows = await readOrders(world)
    const findings: Finding[] = []
    let compared = 0
    for (const order of world.witness.orders.values()) {
      if (!order.answers.some((answer) => saysRefused(answer) || saysFailed(answer))) continue
      compared += 1
      const row = rows.get(orderKey(order.shop.merNo, order.number))
      for (const what of complaintsOf(order, row)) findings.push({ what, about: order.number, rows: row })
    }
    return { compared, findings }
  },
}

function complaintsOf(order: SentOrder, row: OrderRow | undefined): string[] {
  const { answers } = order
  if (answers.some(saysFailed)) {
    if (row === undefined) return ['was answered as failed and does not exist']
    return row.accepted_late ? [] : bookedComplaints(row)
  }
  // A merchant repeats a request after a lost answer. If the first request was accepted, the repetition is refused
  // although the order exists.
  if (row === undefined || !answers.every(saysRefused)) return []
  return ['every answer refused it, and it exists']
}

function bookedComplaints(row: OrderRow): string[] {
  return [
    ...(wasPaid(row) ? [`was answered as failed and is in state ${row.state}`] : []),
    ...(row.payment_entries + row.sent_entries + row.other_entries === 0
      ? []
      : ['was answered as failed and is in the ledger']),
  ]
}
