// Each query with the small and with the large number of orders, in alternating slices.
import type { GatewayUnderTest } from './gateway-under-test.ts'
import { type Query, queryJob, servedQueries } from './queries.ts'
import { medianOf, printTable, type Row } from './report.ts'
import { alternate, type Contestant, warmUp } from './rounds.ts'
import type { Session } from './session.ts'
import { ratio } from './statistics.ts'

export type QueryPlaces = {
  readonly small: GatewayUnderTest
  readonly smallOrders: number
  readonly large: GatewayUnderTest | undefined
  readonly largeOrders: number
  readonly rounds: number
}

const SLICE_SECONDS = 0.5

export async function compareQueries(session: Session, places: QueryPlaces): Promise<number | null> {
  const { small, smallOrders, large, largeOrders, rounds } = places
  const { served, left } = await servedQueries(session.load, small, smallOrders)
  session.notes.push(...left)
  const ask =
    (gateway: GatewayUnderTest, orders: number, size: string) =>
    (query: Query): Contestant => ({
      name: `${query.name}, ${size}`,
      slice: () => session.measure(queryJob(gateway, query, orders, SLICE_SECONDS)),
    })
  const contestants = [
    ...served.map(ask(small, smallOrders, 'small')),
    ...(large === undefined ? [] : served.map(ask(large, largeOrders, 'large'))),
  ]
  await warmUp(contestants)
  const measured = await alternate(contestants, rounds)
  const p50 = (query: Query, size: string) => medianOf(measured, `${query.name}, ${size}`, 'p50Ms')
  const ratios = served.map((query) => ratio(p50(query, 'large'), p50(query, 'small')))
  const rows = served.map((query, at): Row => {
    const growth =
      ratios[at] == null ? '' : `; ${p50(query, 'large')} ms with ${largeOrders}, ratio ${ratios[at]}`
    return [query.name, `${p50(query, 'small')} ms`, `p50 with ${smallOrders} orders${growth}`]
  })
  const known = ratios.filter((one) => one !== null)
  printTable('Queries, one at a time', rows)
  return known.length === 0 ? null : Math.max(...known)
}
