// Runs several gateways on one database. Checks that they share the work without deadlocks, and that an order that two
// of them receive concurrently is accepted once.
import { drainOutbox } from './drain-outbox.ts'
import { type GatewayUnderTest, targetsOf } from './gateway-under-test.ts'
import { startLoadProcess } from './load-process.ts'
import type { Options } from './options.ts'
import { medianRate, nothing, printTable, type Row, rateRows, type Summary } from './report.ts'
import { alternate } from './rounds.ts'
import { newPrefix, note, paymentJob, payments, type Session } from './session.ts'
import { liveShape, startLeanIssuer } from './shape.ts'
import { ratio, round } from './statistics.ts'

const CONNECTIONS = 256
/** Success, and the two codes for a used order number. */
const TWIN_ANSWERS = ['"payCode":0', '"code":"10003"', '"code":"10009"']

export async function runNodes(session: Session, options: Options): Promise<Summary> {
  const { nodes, rounds, sliceSeconds: seconds } = options
  const shape = liveShape(await startLeanIssuer(session))
  const one = await session.start({ name: 'one', shape })
  const several = await session.start({ name: 'several', shape, nodes })
  const shares = several.nodes.map(() => 0)
  const measured = await alternate(
    [
      {
        name: 'one node',
        slice: () => payments(session, one, { connections: CONNECTIONS, seconds, drain: true }),
      },
      { name: `${nodes} nodes`, slice: () => shared(session, several, seconds, shares) },
    ],
    rounds,
  )
  const twins = await sendTwins(session, several, seconds)
  const deadlocks = await several.books.deadlocks()
  if (deadlocks > 0) note(session, [`${deadlocks} deadlocks on the database of ${nodes} nodes`])
  session.errors += deadlocks
  const rate = medianRate(measured, `${nodes} nodes`)
  printTable('Payments a second', rateRows(measured))
  printTable('Shared work', [
    ...shares.map((share, at): Row => [`answered by node ${at + 1}`, String(share)]),
    ['nodes ÷ one', String(ratio(rate, medianRate(measured, 'one node')) ?? '–')],
    ['deadlocks', String(deadlocks)],
    ['same order at two nodes', String(twins.sent), `${twins.accepted} accepted, the others refused`],
  ])
  return { ...nothing, payments: { live: rate, c64: null, c256: rate } }
}

async function shared(session: Session, gateway: GatewayUnderTest, seconds: number, shares: number[]) {
  const prefix = newPrefix()
  const measured = await session.measure({
    ...paymentJob(session, gateway, targetsOf(gateway), prefix),
    connections: CONNECTIONS,
    seconds,
  })
  await drainOutbox(gateway.books.db)
  gateway.books.expect(prefix, measured.answered[0] ?? 0)
  for (const [at, answered] of measured.byTarget.entries()) shares[at] = (shares[at] ?? 0) + answered
  return measured
}

/** Sends the same order numbers to two nodes concurrently. One request of each pair is accepted. */
async function sendTwins(session: Session, gateway: GatewayUnderTest, seconds: number) {
  const prefix = newPrefix()
  const other = startLoadProcess()
  const [first, second] = targetsOf(gateway)
  const job = (target: typeof first) => ({
    ...paymentJob(session, gateway, target === undefined ? [] : [target], prefix),
    expect: TWIN_ANSWERS,
    connections: 32,
    seconds,
    pace: 400,
  })
  const results = await Promise.all([session.load.run(job(first)), other.run(job(second))])
  other.stop()
  const accepted = results.reduce((sum, { answered }) => sum + (answered[0] ?? 0), 0)
  const sent = results.reduce((sum, { answered }) => sum + answered.reduce((all, some) => all + some, 0), 0)
  for (const { failures, samples } of results) {
    session.errors += failures
    note(session, samples)
  }
  gateway.books.expect(prefix, accepted)
  session.notes.push(`twins: ${round(sent / seconds)} requests a second in pairs`)
  return { sent, accepted }
}
