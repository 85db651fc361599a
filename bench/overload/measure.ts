// `npm run bench -- --overload`: a load of three times the top rate. In the first run one merchant sends the flood,
// while nine others send at a modest rate. In the second run all ten send equally much. The nine merchants are measured
// before and after the flood, and in the first run also during the flood.
import { setTimeout as sleep } from 'node:timers/promises'
import type { GatewayUnderTest } from '../gateway-under-test.ts'
import { residentMb, watchMemory } from '../memory.ts'
import type { Options } from '../options.ts'
import { processorUsed, type Used } from '../processor.ts'
import type { Slice } from '../rounds.ts'
import { newPrefix, note, payments, recycleLog, type Session } from '../session.ts'
import { liveShape, startLeanIssuer } from '../shape.ts'
import { round } from '../statistics.ts'
import { type FloodReport, type OverloadSummary, printFlood, printTop } from './report.ts'
import { type StreamSender, startStreamSender } from './start-stream.ts'
import type { StreamJob, StreamPart } from './stream.ts'
import { type TallyResult, WINDOW_MS, type Window } from './tally.ts'

const TOP_CONNECTIONS = 256
const TOP_SECONDS = 4
const TOP_SLICES = 4
const TIMES_TOP_RATE = 3
const MERCHANTS = 10
/** The share of the top rate that the modest merchants send together. */
const MODEST_SHARE = 0.25
/**
 * The connections of one modest merchant, and of the flood as a whole: so many that requests need not wait for a free
 * one.
 */
const MODEST_CONNECTIONS = 32
const FLOOD_CONNECTIONS = 2_000
const CALM_SECONDS = 10
const AFTER_SECONDS = 12
/** The time before the first request is due, in which processes get ready and open their connections. */
const LEAD_MS = 3_000

export async function measureOverload(session: Session, options: Options): Promise<OverloadSummary> {
  const { overloadSeconds: seconds } = options
  const gateway = await session.start({ name: 'overload', shape: liveShape(await startLeanIssuer(session)) })
  const topRate = await topRateOf(session, gateway, seconds)
  const senders = { modest: startStreamSender(), flood: startStreamSender() }
  const run = { session, gateway, senders, seconds, topRate }
  const one = await flood(run, { name: 'one merchant floods', flooders: 1 })
  const all = await flood(run, { name: 'all merchants flood', flooders: MERCHANTS })
  for (const sender of Object.values(senders)) sender.stop()
  return { topRate: round(topRate), seconds, one, all }
}

/**
 * Returns the best rate of some slices: other work on the machine makes slices slower, and the flood must be more than
 * the machine can take. The printed latency is that of a run as long as the flood, which also meets a checkpoint and a
 * full garbage collection.
 */
async function topRateOf(session: Session, gateway: GatewayUnderTest, seconds: number): Promise<number> {
  const load = { connections: TOP_CONNECTIONS, seconds: TOP_SECONDS, drain: true }
  const slices: Slice[] = []
  for (let at = 0; at < TOP_SLICES; at++) slices.push(await payments(session, gateway, load))
  const [best] = slices.sort((one, other) => other.rate - one.rate)
  if (best === undefined) throw new Error('no slice was measured')
  await recycleLog(gateway)
  const steady = await payments(session, gateway, { ...load, seconds })
  printTop(best.rate, steady)
  return best.rate
}

type Run = {
  readonly session: Session
  readonly gateway: GatewayUnderTest
  readonly senders: { readonly modest: StreamSender; readonly flood: StreamSender }
  readonly seconds: number
  readonly topRate: number
}

/** The last merchants send the flood. If all merchants do, the modest streams are silent during the flood. */
async function flood(
  run: Run,
  { name, flooders }: { readonly name: string; readonly flooders: number },
): Promise<FloodReport> {
  const { session, gateway, senders, seconds, topRate } = run
  await recycleLog(gateway)
  const modestPace = topRate * MODEST_SHARE
  const duringPace = flooders === 1 ? modestPace : 0
  const shops = gateway.shops.slice(0, MERCHANTS)
  const startAt = Date.now() + LEAD_MS
  const pid = gateway.nodes[0]?.pid ?? 0
  const beforeMb = residentMb(pid)
  const memory = watchMemory(pid)
  const floodAt = startAt + CALM_SECONDS * 1000
  const [modest, flooded, used] = await Promise.all([
    stream(run, senders.modest, {
      shops: shops.slice(0, MERCHANTS - 1),
      connectionsPerShop: MODEST_CONNECTIONS,
      startAt,
      parts: [
        { seconds: CALM_SECONDS, pace: modestPace },
        { seconds, pace: duringPace },
        { seconds: AFTER_SECONDS, pace: modestPace },
      ],
    }),
    stream(run, senders.flood, {
      shops: shops.slice(MERCHANTS - flooders),
      connectionsPerShop: FLOOD_CONNECTIONS / flooders,
      startAt: floodAt,
      parts: [{ seconds, pace: topRate * TIMES_TOP_RATE - duringPace }],
    }),
    usedBetween(gateway, floodAt, seconds),
  ])
  memory.stop()
  const [before, during, after] = modest
  const [flooding] = flooded
  if (before === undefined || during === undefined || after === undefined || flooding === undefined)
    throw new Error('a stream did not report all its parts')
  const mb = { before: round(beforeMb), peak: round(memory.most()), after: round(residentMb(pid)) }
  const recovered = recoverySeconds(before.windows, after.windows)
  const report = { seconds, before, during, after, flooding, used, mb, recovered }
  session.notes.push(`${name}: the streams and the gateway share the cores of this machine`)
  return printFlood(name, report)
}

/** Processor time while the flood lasts. */
async function usedBetween(
  { nodes, issuerPid, books }: GatewayUnderTest,
  startAt: number,
  seconds: number,
): Promise<Used | undefined> {
  const pids = { gateway: nodes.map(({ pid }) => pid), issuer: issuerPid, receiver: undefined }
  await sleep(startAt - Date.now())
  const before = await processorUsed(books.db, pids)
  await sleep(startAt + seconds * 1000 - Date.now())
  const after = await processorUsed(books.db, pids)
  if (before === undefined || after === undefined) return undefined
  return {
    gateway: after.gateway - before.gateway,
    postgres: after.postgres - before.postgres,
    issuer: after.issuer - before.issuer,
    receiver: 0,
  }
}

type Wanted = Pick<StreamJob, 'connectionsPerShop' | 'startAt'> & {
  readonly shops: GatewayUnderTest['shops']
  readonly parts: readonly StreamPart[]
}

async function stream(run: Run, sender: StreamSender, wanted: Wanted): Promise<readonly TallyResult[]> {
  const { session, gateway } = run
  const { shops, ...rest } = wanted
  const prefix = newPrefix()
  const source = { shops, notifyUrl: session.notifyUrl, prefix }
  const parts = await sender.run({ ...rest, source, port: gateway.nodes[0]?.port ?? 0 })
  gateway.books.expect(
    prefix,
    parts.reduce((sum, { accepted }) => sum + accepted, 0),
  )
  for (const { failures, samples } of parts) {
    session.errors += failures
    note(session, samples)
  }
  return parts
}

/**
 * The p99 of a single window depends on a few slow requests, so it may be 1.5 times that of the slowest calm window.
 */
const TOLERANCE = 1.5

/** The seconds until all requests are accepted again, as fast as before; null if the run ended earlier. */
function recoverySeconds(before: readonly Window[], after: readonly Window[]): number | null {
  const slowest = Math.max(...before.map(({ p99Ms }) => p99Ms)) * TOLERANCE
  const isCalm = ({ due, accepted, p99Ms }: Window) => accepted === due && p99Ms <= slowest
  const lastBad = after.findLastIndex((window) => !isCalm(window))
  return lastBad === after.length - 1 ? null : ((lastBad + 1) * WINDOW_MS) / 1000
}
