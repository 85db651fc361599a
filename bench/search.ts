// `npm run bench -- --search [--orders N]`: compares the order list and the main searches of the back office over a
// thousand orders and over many. Seeded orders are copies, so most searches meet the worst case: every order matches.

import { findOrders, type OrderFilter } from '../src/money/order-queries/search/find-orders.ts'
import { createIndexer, rebuildIndex } from '../src/money/order-queries/search/index-orders.ts'
import type { GatewayUnderTest } from './gateway-under-test.ts'
import type { Options } from './options.ts'
import { printTable } from './report.ts'
import { isFirstShops, seeded, seededNumber } from './seed.ts'
import type { Session } from './session.ts'
import { liveShape, startLeanIssuer, withoutWorkers } from './shape.ts'
import { ratio, round } from './statistics.ts'

const FEW = 1_000
const PAGE = 50
/** The number of times that each search is measured in a round. */
const REPEATS = 40

export type SearchSummary = {
  readonly orders: number
  readonly indexedPerSecond: number
  /** The time over many orders ÷ the time over a thousand, by search. */
  readonly searchRatios: Readonly<Record<string, number | null>>
}

const DAY_MS = 86_400_000

type Search = readonly [name: string, filter: OrderFilter]

const searches: readonly Search[] = [
  ['list', {}],
  ['number', { number: firstNumber() }],
  ['e-mail', { email: 'payer@shop.example' }],
  ['card ending', { card: '4242' }],
  ['name', { name: 'Test Payer' }],
  ['amount', { amount: '12.34' }],
  ['state', { states: [5] }],
  ['method', { methods: ['card'] }],
  ['reference', { reference: 'nothing' }],
  // The period is long enough for a full page in both databases: a thousand orders in 90 days are less than a page a
  // day.
  ['date', { from: new Date(Date.now() - 30 * DAY_MS) }],
  ['e-mail, state and method', { email: 'payer@shop.example', states: [5], methods: ['card'] }],
]

function firstNumber(): string {
  let count = 0
  while (!isFirstShops(count)) count++
  return seededNumber(count)
}

export async function measureSearch(session: Session, { orders, rounds }: Options): Promise<SearchSummary> {
  const shape = withoutWorkers(liveShape(await startLeanIssuer(session)))
  const few = await seeded(session, { name: 'few', shape, orders: FEW })
  const many = await seeded(session, { name: 'many', shape, orders })
  await index(few)
  const indexSeconds = await index(many)
  const times = new Map(searches.map(([name]) => [name, { few: [] as number[], many: [] as number[] }]))
  for (let round = 0; round < rounds; round++)
    for (const [name, filter] of searches)
      for (let repeat = 0; repeat < REPEATS; repeat++) {
        times.get(name)?.few.push(await timed(few, filter))
        times.get(name)?.many.push(await timed(many, filter))
      }
  const measured = [...times].map(([name, { few, many }]) => {
    return { name, few: median(few), many: median(many) }
  })
  printTable(
    `Searches over ${FEW} and ${orders} orders, median ms`,
    measured.map(({ name, few, many }) => [
      name,
      `${round(few, 2)} and ${round(many, 2)} ms`,
      `× ${ratio(many, few)}`,
    ]),
  )
  return {
    orders,
    indexedPerSecond: Math.round(orders / indexSeconds),
    searchRatios: Object.fromEntries(measured.map(({ name, few, many }) => [name, ratio(many, few)])),
  }
}

/** Builds the index as the worker does, and returns the duration in seconds. */
async function index({ books: { db } }: GatewayUnderTest): Promise<number> {
  await rebuildIndex(db, new Date())
  const indexer = createIndexer(db)
  const begun = performance.now()
  while (await indexer.step(new Date()));
  await db.query({ text: 'vacuum analyze order_keys, indexed_orders' })
  return (performance.now() - begun) / 1000
}

async function timed({ books: { db }, shops }: GatewayUnderTest, filter: OrderFilter): Promise<number> {
  const begun = performance.now()
  await findOrders(db, shops[0]?.merNo ?? 0, filter, undefined, PAGE)
  return performance.now() - begun
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
