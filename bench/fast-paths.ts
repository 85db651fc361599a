// What each fast path saves: gateways with all of them, and with one of them off, take turns. Notifications are posted by
// gateways that deliver, so that path has a pair of its own.
import type { FastPaths } from '../src/base/fast-paths.ts'
import { programPath } from './child.ts'
import type { GatewayUnderTest } from './gateway-under-test.ts'
import type { Options } from './options.ts'
import { settleOutbox } from './outbox.ts'
import { processorUsed } from './processor.ts'
import { medianOf, nothing, printTable, type Row, type Summary } from './report.ts'
import { alternate, type Contestant, type Rounds, type Slice, warmUp } from './rounds.ts'
import { payments, type Session } from './session.ts'
import { round } from './statistics.ts'

const CONNECTIONS = 256
const ALL = 'all on'
const ALL_DELIVERING = 'all on, delivering'

const paths: readonly { readonly off: keyof FastPaths; readonly against: string }[] = [
  { off: 'rawServer', against: ALL },
  { off: 'pipeline', against: ALL },
  { off: 'rawClient', against: ALL_DELIVERING },
]

export async function measureFastPaths(session: Session, options: Options): Promise<Summary> {
  const { rounds, sliceSeconds: seconds } = options
  const contestants: Contestant[] = []
  const add = async (name: string, without: string, delivers: boolean) => {
    const gateway = await session.start({
      name: `paths${contestants.length}`,
      program: programPath('./gateway-without.ts'),
      settings: { BENCH_WITHOUT: without, TOLLGATE_ROLE: delivers ? 'all' : 'api' },
    })
    contestants.push({ name, slice: () => measured(session, gateway, seconds) })
  }
  await add(ALL, '', false)
  await add(ALL_DELIVERING, '', true)
  for (const { off, against } of paths) await add(off, off, against === ALL_DELIVERING)
  await warmUp(contestants)
  const found = await alternate(contestants, rounds)
  printTable('Processor time a payment, gateway + PostgreSQL, with this fast path off', rowsOf(found))
  return nothing
}

/** All that a payment costs: what its notification takes after the slice counts too. */
async function measured(session: Session, gateway: GatewayUnderTest, seconds: number): Promise<Slice> {
  const { db } = gateway.books
  const pids = gateway.nodes.map(({ pid }) => pid)
  const ordersBefore = await countOrders(gateway)
  const before = await processorUsed(db, pids)
  const slice = await payments(session, gateway, { connections: CONNECTIONS, seconds })
  await settleOutbox(db)
  const after = await processorUsed(db, pids)
  const count = (await countOrders(gateway)) - ordersBefore
  if (before === undefined || after === undefined || count === 0) return slice
  return {
    ...slice,
    gatewayUs: (after.gateway - before.gateway) / count,
    postgresUs: (after.postgres - before.postgres) / count,
  }
}

async function countOrders({ books }: GatewayUnderTest): Promise<number> {
  const [row] = await books.db.query<{ count: number }>({ text: 'select count(*)::int as count from orders' })
  return row?.count ?? 0
}

function rowsOf(found: Rounds): Row[] {
  const whole = (name: string) => used(found, name).reduce((sum, us) => sum + us, 0)
  const all = [ALL, ALL_DELIVERING].map((name): Row => [name, inWords(found, name)])
  const off = paths.map(({ off, against }): Row => {
    const saved = round(100 * (1 - whole(against) / whole(off)), 1)
    return [off, inWords(found, off), `the fast path saves ${saved} %`]
  })
  return [...all, ...off]
}

function used(found: Rounds, name: string): readonly [gateway: number, postgres: number] {
  return [medianOf(found, name, 'gatewayUs') ?? Number.NaN, medianOf(found, name, 'postgresUs') ?? Number.NaN]
}

function inWords(found: Rounds, name: string): string {
  return `${used(found, name)
    .map((us) => round(us))
    .join(' + ')} µs`
}
