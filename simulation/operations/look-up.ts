// Looks orders up in the order list, and compares each state with the previous state: a decision is never reversed.
import { callGateway } from '../call-gateway.ts'
import type { Actor } from '../operation.ts'
import { outcomeOf, type SentOrder } from '../witness.ts'
import { compare } from './compare.ts'

/** An order as the order list shows it. */
export type Listed = {
  readonly order: SentOrder
  readonly state: number
  readonly refunded: string
}

const PATH = '/order/queryOrderList'

/** Returns the orders as the list shows them. Payouts are not in the list. The result is empty if no answer came. */
export async function lookUp(actor: Actor, orders: readonly SentOrder[]): Promise<Listed[]> {
  const { world, shop } = actor
  if (orders.length === 0) return []
  const merOrderNos = orders.map(({ number }) => number)
  const askedAt = Date.now()
  const answer = await callGateway(shop, PATH, {
    merNo: shop.merNo,
    version: 'V3.0.1',
    merOrderNos,
    pageSize: 500,
  })
  world.witness.count('look orders up', outcomeOf(answer))
  if (answer.kind === 'lost' || answer.code !== '00000') return []
  const byNumber = new Map(orders.map((order) => [order.number, order]))
  return rowsOf(answer.data).flatMap((row) => {
    const order = byNumber.get(String(row.merOrderNo))
    return order === undefined ? [] : [note(actor, order, row, askedAt)]
  })
}

export type Row = Readonly<Record<string, unknown>>

export function rowsOf(data: Row): readonly Row[] {
  return Array.isArray(data.list) ? data.list : []
}

function note(actor: Actor, order: SentOrder, row: Row, askedAt: number): Listed {
  const state = Number(row.state)
  actor.world.history.add(`${PATH} shows`, order.number, { state, refunded: row.refundAmount })
  order.tradeNo ??= String(row.tradeNo)
  const seen = { state, askedAt, row }
  order.lastListed = compare(actor, order.number, order.lastListed, seen, mayFollow)
  return { order, state, refunded: String(row.refundAmount) }
}

const PROCESSING = [1, 24, 25]
const FAILED = [6]
const CANCELLED = [7]
export const PAID = [5, 9, 10, 11, 12, 17]

/** True if one state may follow another. An operator may accept late money for a cancelled order. */
function mayFollow(from: number, to: number): boolean {
  if (PROCESSING.includes(from)) return true
  if (CANCELLED.includes(from)) return [...CANCELLED, ...PAID].includes(to)
  return (FAILED.includes(from) ? FAILED : PAID).includes(to)
}
