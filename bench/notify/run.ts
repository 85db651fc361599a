// `npm run bench:notify [-- --quick]`: docs/notifications.md, "Speed", says what is measured and how.
import { type MemoryWatch, watchMemory } from '../memory.ts'
import { openPlace, type Place } from '../place.ts'
import { medianOf, medianRate, printTable, rateRows } from '../report.ts'
import { alternate, type Rounds, warmUp } from '../rounds.ts'
import { ratio, round } from '../statistics.ts'
import { openBadHosts } from './bad-hosts.ts'
import type { Deliverer } from './deliverer.ts'
import { type Hook, openHook } from './hook.ts'
import { createMeter, type Meter } from './measure.ts'
import { type Options, readOptions } from './options.ts'
import { startOurs } from './ours.ts'
import { startPeers } from './peers.ts'

const OURS = 'tollgate'
const FULL = 'tollgate_full'
const BESET = 'tollgate_beset'
/** A worker runs for months, so its speed with compiled code counts. */
const WARM_UPS = 4

const options = readOptions(process.argv.slice(2))
const place = await openPlace()
const hook = await openHook()
const badHosts = await openBadHosts()
const deliverers: Deliverer[] = []
try {
  await startAll(place, hook, options)
  const summary = await measureAll(createMeter(hook), options)
  console.log(`\n${JSON.stringify(summary)}`)
  if (summary.errors > 0) process.exitCode = 1
} finally {
  for (const one of deliverers) signal(one, 'SIGCONT')
  for (const { stop } of [...deliverers, hook, badHosts]) await stop()
  await place.remove()
}

async function startAll(at: Place, { url }: Hook, { pending, peers, profileTo }: Options): Promise<void> {
  deliverers.push(await startOurs(at, { name: OURS, url, pending: 0, profileTo }))
  if (peers) deliverers.push(...(await startPeers(at, url)))
  if (pending > 0) deliverers.push(await startOurs(at, { name: FULL, url, pending }))
  deliverers.push(await startOurs(at, { name: BESET, url, pending: 0, beside: badHosts }))
}

async function measureAll(meter: Meter, { rounds, sliceSeconds, pending }: Options) {
  const memory = new Map(deliverers.map(({ name, pid }) => [name, watchMemory(pid)]))
  const backlogs = deliverers.map((one) => {
    return { name: one.name, slice: () => alone(one, () => meter.backlog(one, sliceSeconds)) }
  })
  for (let turn = 0; turn < WARM_UPS; turn++) await warmUp(backlogs)
  const rates = await alternate(backlogs, rounds)
  printTable('Deliveries a second from a backlog', rateRows(rates))
  const times = await atHalfRate(meter, rates, { rounds: Math.min(rounds, 3), sliceSeconds })
  printTable('From commit to arrival, at half the rate of each', rateRows(times))
  for (const watch of memory.values()) watch.stop()
  return summarize({ rates, times, memory, pending, errors: meter.errors() })
}

/** Suspends the other contestants, because each polls its queue many times a second, even an empty queue. */
async function alone<Result>(measured: Deliverer, measure: () => Promise<Result>): Promise<Result> {
  for (const one of deliverers) signal(one, one === measured ? 'SIGCONT' : 'SIGSTOP')
  return measure()
}

/**
 * A failure is only printed, because a process that has ended must not keep the run from stopping the others. A signal
 * to pid 0 would reach this process.
 */
function signal({ pid }: Deliverer, name: 'SIGCONT' | 'SIGSTOP'): void {
  try {
    if (pid > 0) process.kill(pid, name)
  } catch (error) {
    console.error(`${name} did not reach process ${pid}: ${error}`)
  }
}

function atHalfRate(
  meter: Meter,
  rates: Rounds,
  { rounds, sliceSeconds }: Pick<Options, 'rounds' | 'sliceSeconds'>,
): Promise<Rounds> {
  // All variants of our worker run at the same pace.
  const isOurs = (name: string) => [OURS, FULL, BESET].includes(name)
  const rateOf = (name: string) => (medianRate(rates, isOurs(name) ? OURS : name) ?? 0) / 2
  const contestants = deliverers.map((one) => {
    return {
      name: one.name,
      slice: () => alone(one, () => meter.paced(one, rateOf(one.name), sliceSeconds)),
    }
  })
  return alternate(contestants, rounds)
}

type Found = {
  readonly rates: Rounds
  readonly times: Rounds
  readonly memory: ReadonlyMap<string, MemoryWatch>
  readonly pending: number
  readonly errors: number
}

function summarize({ rates, times, memory, pending, errors }: Found) {
  const rate = (name: string) => medianRate(rates, name)
  const p99 = (name: string) => medianOf(times, name, 'p99Ms')
  const rss = (name: string) => round(memory.get(name)?.most() ?? Number.NaN)
  const names = deliverers.map(({ name }) => name)
  const summary = {
    rate: Object.fromEntries(names.map((name) => [name, rate(name)])),
    p99Ms: Object.fromEntries(names.map((name) => [name, p99(name)])),
    rssMb: Object.fromEntries(names.map((name) => [name, rss(name)])),
    ratio: {
      graphileWorker: ratio(rate(OURS), rate('graphile-worker')),
      pgBoss: ratio(rate(OURS), rate('pg-boss')),
      pendingRate: ratio(rate(FULL), rate(OURS)),
      pendingP99: ratio(p99(FULL), p99(OURS)),
      besetP99: ratio(p99(BESET), p99(OURS)),
    },
    pending,
    errors,
  }
  printTable('Goals', [
    ['rate ÷ graphile-worker', `${summary.ratio.graphileWorker ?? '–'}`, 'goal ≥ 2'],
    ['rate ÷ pg-boss', `${summary.ratio.pgBoss ?? '–'}`, 'goal ≥ 2'],
    ['p99 in ms at half the rate', `${p99(OURS) ?? '–'}`, 'goal < 250'],
    ['memory in MB', `${rss(OURS)}`, 'goal < 200'],
    [`rate with ${pending} pending ÷ without`, `${summary.ratio.pendingRate ?? '–'}`, 'goal ≥ 0.9'],
    [`p99 with ${pending} pending ÷ without`, `${summary.ratio.pendingP99 ?? '–'}`, 'goal ≤ 1.1'],
    ['p99 beside hosts that hang ÷ without', `${summary.ratio.besetP99 ?? '–'}`, 'goal ≤ 1.1'],
    ...names.map((name) => [`memory of ${name}`, `${rss(name)} MB`] as const),
    ['never arrived, or arrived twice', String(errors), 'goal 0'],
  ])
  return summary
}
