// The usual queries of merchants, timed one at a time, with a small and with a large number of orders.
import type { GatewayUnderTest } from './gateway-under-test.ts'
import { targetsOf } from './gateway-under-test.ts'
import type { Job } from './load.ts'
import type { LoadProcess } from './load-process.ts'
import { isFirstShops, seededNumber } from './seed.ts'
import { type Shop, signedRequest } from './shop.ts'

export type Query = {
  readonly name: string
  readonly path: string
  readonly bodies: (shop: Shop, orders: number) => readonly Record<string, unknown>[]
}

const DAYS_BACK = 91
const DAY_MS = 86_400_000
const NUMBERS = 200
const PROBE_SECONDS = 0.2
const common = (shop: Shop) => ({ merNo: shop.merNo, version: 'V3.0.0' })

export const queries: readonly Query[] = [
  {
    name: 'order query',
    path: '/order/query',
    bodies: (shop, orders) =>
      someNumbers(orders).map((merOrderNo) => {
        return { ...common(shop), merOrderNo, tradeNo: '', operationType: 'query', queryType: 'sales' }
      }),
  },
  { name: 'balance query', path: '/balance/query', bodies: (shop) => [common(shop)] },
  { name: 'order list, page 1', path: '/order/queryOrderList', bodies: (shop) => [listPage(shop, 1)] },
  { name: 'order list, page 500', path: '/order/queryOrderList', bodies: (shop) => [listPage(shop, 500)] },
  {
    name: 'amount totals',
    path: '/order/queryAmount',
    bodies: (shop) => [{ ...common(shop), startDate: dayBack(DAYS_BACK), endDate: dayBack(0) }],
  },
]

/** Order numbers, spread over the whole history of the shop with the most orders. */
function someNumbers(orders: number): string[] {
  return Array.from({ length: NUMBERS }, (_, at) => {
    let count = Math.floor((at * orders) / NUMBERS)
    while (!isFirstShops(count)) count++
    return seededNumber(count % orders)
  })
}

function listPage(shop: Shop, pageNum: number): Record<string, unknown> {
  const dateLimit = { from: `${dayBack(DAYS_BACK)} 00:00:00`, to: `${dayBack(0)} 23:59:59` }
  return { ...common(shop), dateLimit, pageNum, pageSize: 15 }
}

function dayBack(days: number): string {
  return new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)
}

export function queryJob(gateway: GatewayUnderTest, query: Query, orders: number, seconds: number): Job {
  const [shop] = gateway.shops
  if (shop === undefined) throw new Error('there is no shop')
  const requests = query
    .bodies(shop, orders)
    .map((body) => signedRequest(shop, query.path, body).toString('utf8'))
  return {
    targets: targetsOf(gateway, query.path),
    connections: 1,
    seconds,
    source: { requests },
    expect: ['"code":"00000"'],
  }
}

/** The queries that this gateway serves. A refused query is measured too, and shows as an error. */
export async function servedQueries(
  load: LoadProcess,
  gateway: GatewayUnderTest,
  orders: number,
): Promise<{ served: Query[]; left: string[] }> {
  const served: Query[] = []
  const left: string[] = []
  for (const query of queries) {
    const { samples } = await load.run(queryJob(gateway, query, orders, PROBE_SECONDS))
    if (samples[0]?.startsWith('HTTP 404')) left.push(`${query.name} is left out: it is not served`)
    else served.push(query)
  }
  return { served, left }
}
