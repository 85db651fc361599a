// The same payments under other conditions: the issuer is another process, or the gateway delivers notifications as well.
import type { GatewayUnderTest } from './gateway-under-test.ts'
import type { Options } from './options.ts'
import { settleOutbox } from './outbox.ts'
import { printTable, rateRows } from './report.ts'
import { alternate, type Contestant, warmUp } from './rounds.ts'
import { payments, type Session } from './session.ts'

const CONNECTIONS = 256

export async function compareVariants(
  session: Session,
  { rounds, sliceSeconds: seconds }: Options,
  main: GatewayUnderTest,
): Promise<void> {
  const issuer = await withIssuerOverHttp(session)
  const delivering = await session.start({ name: 'delivering', settings: { TOLLGATE_ROLE: 'all' } })
  const pay = (gateway: GatewayUnderTest) => payments(session, gateway, { connections: CONNECTIONS, seconds })
  const contestants: Contestant[] = [
    { name: 'issuer in the process, no delivery', slice: () => pay(main) },
    { name: 'issuer over HTTP', slice: () => pay(issuer) },
    { name: 'delivering notifications too', slice: () => thenDelivered(delivering, pay) },
  ]
  await warmUp(contestants)
  printTable('Payments under other conditions', rateRows(await alternate(contestants, rounds)))
  await session.finish(issuer)
  await session.finish(delivering)
}

async function withIssuerOverHttp(session: Session): Promise<GatewayUnderTest> {
  const secret = 'a secret between the benchmark and its issuer'
  const issuer = await session.startProgram('the card issuer', '../sandbox/main.ts', {
    TOLLGATE_DATA_DIR: session.place.makeFolder('issuer'),
    TOLLGATE_SANDBOX_SECRET: secret,
  })
  const settings = { TOLLGATE_SANDBOX_URL: issuer.readiness, TOLLGATE_SANDBOX_SECRET: secret }
  return session.start({ name: 'issuer', settings })
}

/** What is left over is sent before others are measured. */
async function thenDelivered<Slice>(
  gateway: GatewayUnderTest,
  pay: (gateway: GatewayUnderTest) => Promise<Slice>,
): Promise<Slice> {
  const slice = await pay(gateway)
  await settleOutbox(gateway.books.db)
  return slice
}
