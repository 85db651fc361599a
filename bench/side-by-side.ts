// Payments beside four comparisons: payments with the issuer in the process, the database's own benchmark, an echo
// server, and another payment program.
import { thisCheckout } from './checkout.ts'
import type { GatewayUnderTest } from './gateway-under-test.ts'
import { openMedusa } from './medusa.ts'
import type { Options } from './options.ts'
import { openPgbench } from './pgbench.ts'
import { medianRate, printTable, processorUs, rateRows, type Summary } from './report.ts'
import { alternate, type Contestant, warmUp } from './rounds.ts'
import { newPrefix, payments, recycleLog, type Session } from './session.ts'
import { inProcessShape } from './shape.ts'
import { ratio } from './statistics.ts'

type Found = Pick<Summary, 'payments' | 'inProcess' | 'processorUs' | 'pgbench' | 'echo' | 'medusa' | 'ratio'>

const names = {
  c64: 'payments, 64 connections',
  c256: 'payments, 256 connections',
  inProcess: 'issuer in the process, no delivery, 256 connections',
  pgbench: 'pgbench TPC-B, 32 clients',
  echo: 'Fastify echo, 256 connections',
  medusa: 'Medusa, 8 connections',
}

/**
 * V8 compiles code during about the first fifty thousand payments. Until then, a payment takes up to a third more
 * processor time in the gateway.
 */
const WARM_UPS = 3

export async function compareSideBySide(
  session: Session,
  options: Options,
  gateway: GatewayUnderTest,
): Promise<Found> {
  const inProcess = await session.start({ name: 'in_process', shape: inProcessShape(thisCheckout) })
  const contestants = await contestantsOf(session, options, gateway, inProcess)
  await recycleLog(gateway)
  for (let turn = 0; turn < WARM_UPS; turn++) await warmUp(contestants)
  const measured = await alternate(contestants, options.rounds)
  printTable('Side by side', rateRows(measured))
  await session.finish(inProcess)
  const rate = (name: string) => medianRate(measured, name)
  const [c64, c256] = [rate(names.c64), rate(names.c256)]
  const [pgbench, echo, medusa] = [rate(names.pgbench), rate(names.echo), rate(names.medusa)]
  return {
    payments: { live: c256, c64, c256 },
    inProcess: rate(names.inProcess),
    processorUs: processorUs(measured, names.c256),
    pgbench,
    echo,
    medusa,
    ratio: {
      live: ratio(c256, pgbench),
      pgbench64: ratio(c64, pgbench),
      pgbench256: ratio(c256, pgbench),
      echo: ratio(c256, echo),
      medusa: ratio(c256, medusa),
      growth: null,
      queries: null,
    },
  }
}

async function contestantsOf(
  session: Session,
  options: Options,
  gateway: GatewayUnderTest,
  inProcess: GatewayUnderTest,
): Promise<Contestant[]> {
  const { sliceSeconds: seconds } = options
  const pgbench = await openPgbench(session.place)
  const medusa = options.medusa ? await openMedusa(session, names.medusa, seconds) : undefined
  return [
    { name: names.c64, slice: () => payments(session, gateway, { connections: 64, seconds, drain: true }) },
    { name: names.pgbench, slice: async () => ({ rate: await pgbench.run(seconds) }) },
    { name: names.c256, slice: () => payments(session, gateway, { connections: 256, seconds, drain: true }) },
    { name: names.inProcess, slice: () => payments(session, inProcess, { connections: 256, seconds }) },
    await echo(session, gateway, seconds),
    ...(medusa === undefined ? [] : [medusa]),
  ]
}

async function echo(session: Session, { shops }: GatewayUnderTest, seconds: number): Promise<Contestant> {
  const { port } = await session.startProgram('the echo', './echo-server.ts')
  const source = { shops, notifyUrl: session.notifyUrl, prefix: newPrefix() }
  const job = { targets: [{ port, path: '/payment' }], source, expect: ['"merOrderNo"'] }
  return {
    name: names.echo,
    slice: () => session.measure({ ...job, connections: 256, seconds, ahead: seconds * 10_000 }),
  }
}
