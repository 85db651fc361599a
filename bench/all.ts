// The full comparison in one run. Within each section the contestants take turns.

import type { Shape } from './gateway-under-test.ts'
import { compareGrowth } from './growth.ts'
import { residentMb, watchMemory } from './memory.ts'
import type { Options } from './options.ts'
import { compareQueries } from './query-rounds.ts'
import { nothing, printTable, type Row, rateRows, type Summary } from './report.ts'
import { alternate } from './rounds.ts'
import { seeded } from './seed.ts'
import { payments, recycleLog, type Session } from './session.ts'
import { liveShape, startLeanIssuer, withoutWorkers } from './shape.ts'
import { compareSideBySide } from './side-by-side.ts'
import { median, round } from './statistics.ts'

const SMALL = 10_000

export async function runAll(session: Session, options: Options): Promise<Summary> {
  const shape = liveShape(await startLeanIssuer(session))
  const main = await session.start({ name: 'main', shape })
  const pid = main.nodes[0]?.pid ?? 0
  const idleMb = residentMb(pid)
  const memory = watchMemory(pid)
  const beside = await compareSideBySide(session, options, main)
  memory.stop()
  const p99Ms = await atHalfRate(session, options, beside.payments.c256)
  printTable('Memory of the gateway', [
    ['idle', `${round(idleMb)} MB`],
    ['peak at full load', `${round(memory.most())} MB`],
    ['afterwards', `${round(residentMb(pid))} MB`],
  ])
  await session.finish(main)
  const found = await atSizes(session, options, withoutWorkers(shape))
  const rssMb = Number.isNaN(memory.most()) ? null : round(memory.most())
  const summary = { ...nothing, ...beside, ratio: { ...beside.ratio, ...found }, p99Ms, rssMb }
  printTable('Goals', goalRows(summary))
  return summary
}

/** Latency counts from the time at which a payment was due, so it includes waiting. */
async function atHalfRate(
  session: Session,
  { rounds, sliceSeconds: seconds }: Options,
  topRate: number | null,
): Promise<number | null> {
  const [main] = session.gateways
  if (main === undefined || topRate === null) return null
  await recycleLog(main)
  const pace = Math.max(1, topRate / 2)
  const slice = () => payments(session, main, { connections: 256, seconds, pace, drain: true })
  const measured = await alternate([{ name: 'payments at half the top rate', slice }], rounds)
  printTable('At an even pace', rateRows(measured))
  const times = [...measured.values()].flat().flatMap((one) => one.p99Ms ?? [])
  const middle = median(times)
  return middle === null ? null : round(middle, 1)
}

/** Measurements that must not depend on the number of orders. */
async function atSizes(
  session: Session,
  options: Options,
  shape: Shape,
): Promise<Pick<Summary['ratio'], 'growth' | 'queries'>> {
  const { quick, orders: largeOrders, rounds } = options
  const large = quick ? undefined : await seeded(session, { name: 'large', shape, orders: largeOrders })
  const small = await seeded(session, { name: 'small', shape, orders: SMALL })
  // Queries are measured first: payments add deltas, which only a worker folds, and no worker runs here.
  const queries = await compareQueries(session, { small, large, smallOrders: SMALL, largeOrders, rounds })
  const growth = large === undefined ? null : await compareGrowth(session, options, { large, shape })
  return { growth, queries }
}

/**
 * Marks goals that were set for payments with the issuer in the process. The figures beside them are of the live shape.
 */
const secondLine = '(set for the second line)'

function goalRows({ ratio, p99Ms, rssMb }: Summary): Row[] {
  const goals: readonly (readonly [string, number | null, string])[] = [
    ['payments ÷ pgbench, live shape, 256 connections', ratio.live, '≥ 1.0'],
    ['payments ÷ pgbench at 64 connections', ratio.pgbench64, `≥ 1.6 ${secondLine}`],
    ['payments ÷ echo', ratio.echo, `≥ 0.5 ${secondLine}`],
    ['payments ÷ Medusa', ratio.medusa, `≥ 100 ${secondLine}`],
    ['large ÷ empty database', ratio.growth, '≥ 0.9'],
    ['slowest query, large ÷ small', ratio.queries, '≤ 1.2'],
    ['p99 in ms at half the top rate', p99Ms, `< 50 ${secondLine}`],
    ['memory in MB at full load', rssMb, `≤ 200 ${secondLine}`],
  ]
  return goals.map(([what, value, goal]) => [what, String(value ?? '–'), `goal ${goal}`])
}
