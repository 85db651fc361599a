// `npm run bench -- --audit`: the duration of `ledger verify` on a large database, and its effect on the latency of
// payments. The audit runs in a separate process, as for an operator; slices with and without it alternate at a paced
// load.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { programPath } from './child.ts'
import type { GatewayUnderTest } from './gateway-under-test.ts'
import type { Options } from './options.ts'
import { medianOf, printTable, type Row } from './report.ts'
import { alternate, type Contestant, type Slice, warmUp } from './rounds.ts'
import { seeded } from './seed.ts'
import { payments, type Session } from './session.ts'
import { liveShape, startLeanIssuer, withoutWorkers } from './shape.ts'
import { ratio, round } from './statistics.ts'

const CONNECTIONS = 64
/** Payments a second: far below the machine's capacity, so that a higher latency shows the effect of the audit. */
const PACE = 300
/** The number of characters that a failed audit shows of its findings. */
const MOST_SHOWN = 5_000
const [WITHOUT, DURING] = ['without an audit', 'during an audit']

export type AuditSummary = {
  readonly orders: number
  readonly auditSeconds: number
  /** The p99 during an audit ÷ the p99 without an audit. */
  readonly p99Ratio: number | null
}

export async function measureAudit(session: Session, options: Options): Promise<AuditSummary> {
  const { orders, rounds, sliceSeconds: seconds } = options
  const shape = withoutWorkers(liveShape(await startLeanIssuer(session)))
  const gateway = await seeded(session, { name: 'audited', shape, orders })
  const auditSeconds = await verify(session, gateway).finished
  const pay = () => payments(session, gateway, { connections: CONNECTIONS, seconds, pace: PACE })
  const contestants: Contestant[] = [
    { name: WITHOUT, slice: pay },
    { name: DURING, slice: () => duringAudit(session, gateway, pay) },
  ]
  await warmUp(contestants)
  const measured = await alternate(contestants, rounds)
  const row = (name: string): Row => [
    name,
    `p50 ${medianOf(measured, name, 'p50Ms')} ms`,
    `p99 ${medianOf(measured, name, 'p99Ms')} ms`,
  ]
  printTable(`ledger verify on ${orders} orders`, [['seconds, alone', String(auditSeconds)]])
  printTable(`Payments, ${PACE} a second`, [row(WITHOUT), row(DURING)])
  const [during, without] = [medianOf(measured, DURING, 'p99Ms'), medianOf(measured, WITHOUT, 'p99Ms')]
  return { orders, auditSeconds, p99Ratio: during && without ? ratio(during, without) : null }
}

async function duringAudit(
  session: Session,
  gateway: GatewayUnderTest,
  pay: () => Promise<Slice>,
): Promise<Slice> {
  const audit = verify(session, gateway)
  try {
    return await pay()
  } finally {
    audit.stop()
    await audit.finished
  }
}

/** `finished` resolves with the duration in seconds. */
function verify({ place }: Session, { databaseUrl }: GatewayUnderTest) {
  const started = performance.now()
  const child = spawn(process.execPath, [programPath('../src/operator/cli/cli.ts'), 'ledger', 'verify'], {
    env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl, TOLLGATE_MASTER_KEY: place.masterKey },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const printed: Promise<string> = text(child.stdout)
  let isStopped = false
  const finished = once(child, 'exit').then(async ([status]) => {
    if (status !== 0 && !isStopped)
      throw new Error(`ledger verify ended with status ${status}:\n${(await printed).slice(0, MOST_SHOWN)}`)
    return round((performance.now() - started) / 1000, 1)
  })
  return {
    finished,
    stop() {
      isStopped = true
      child.kill()
    },
  }
}
