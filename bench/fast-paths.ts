// `npm run bench -- --fast-paths`: compares gateways in the live shape in alternating slices: one with all fast paths,
// and others with one of them off. The measure is processor time per payment, gateway and PostgreSQL together.
import type { FastPaths } from '../src/platform/base/fast-paths.ts'
import type { Options } from './options.ts'
import { medianUs, processorRatio } from './processor-ratio.ts'
import { printTable, type Row } from './report.ts'
import { alternate, type Contestant, type Rounds, warmUp } from './rounds.ts'
import { payments, type Session } from './session.ts'
import { liveShape, startLeanIssuer } from './shape.ts'
import { round } from './statistics.ts'

const CONNECTIONS = 256
const ALL = 'all on'
const paths: readonly (keyof FastPaths)[] = ['rawServer', 'pipeline']

/** The percentage that each fast path saves; null if the system does not report processor time. */
type Saved = Readonly<Record<string, number | null>>

export async function measureFastPaths(
  session: Session,
  options: Options,
): Promise<{ readonly saved: Saved }> {
  const live = liveShape(await startLeanIssuer(session))
  const contestants: Contestant[] = []
  for (const [at, without] of ['', ...paths].entries()) {
    const settings = { ...live.settings, BENCH_WITHOUT: without }
    const shape = { ...live, program: 'bench/gateway-without.ts', settings }
    const gateway = await session.start({ name: `paths${at}`, shape })
    const load = { connections: CONNECTIONS, seconds: options.sliceSeconds, drain: true }
    contestants.push({ name: without || ALL, slice: () => payments(session, gateway, load) })
  }
  await warmUp(contestants)
  const rounds = await alternate(contestants, options.rounds)
  const saved = Object.fromEntries(paths.map((path) => [path, savedBy(rounds, path)]))
  printTable('Processor time a payment, gateway + PostgreSQL, with this fast path off', [
    [ALL, inWords(rounds, ALL)],
    ...paths.map((path): Row => [path, inWords(rounds, path), `the fast path saves ${saved[path]} %`]),
  ])
  return { saved }
}

function savedBy(rounds: Rounds, path: string): number | null {
  const ratio = processorRatio(rounds, [ALL, path])
  return ratio === null ? null : round(100 * (1 - ratio), 1)
}

function inWords(rounds: Rounds, name: string): string {
  const gateway = medianUs(rounds, name, ({ gatewayUs }) => gatewayUs)
  const postgres = medianUs(rounds, name, ({ postgresUs }) => postgresUs)
  return `${gateway ?? '–'} + ${postgres ?? '–'} µs`
}
