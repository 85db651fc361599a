// Reads the order list page by page. All pages contain only orders that existed when the first page was read.
import type { ListItem, OrderListAnswer, OrderListFields } from './generated.ts'
import type { CallOptions } from './known-order.ts'
import { type Settings, send } from './send.ts'

/** A filter has exactly one of `merOrderNos`, `tradeNos` and `dateLimit`. */
export type OrderFilter = Omit<OrderListFields, 'pageNum' | 'asOf'>

const PAGE_SIZE = 100

export async function* listOrders(
  settings: Settings,
  filter: OrderFilter,
  options: CallOptions,
): AsyncGenerator<ListItem, void, undefined> {
  let asOf: string | undefined
  for (let pageNum = 1; ; pageNum++) {
    const fields = { pageSize: PAGE_SIZE, ...filter, pageNum, asOf }
    const outgoing = { path: '/order/queryOrderList', fields, isRepeatable: true } as const
    const page = await send<OrderListAnswer>(settings, outgoing, options)
    yield* page.list
    if (pageNum >= page.totalPage) return
    asOf = page.asOf
  }
}
