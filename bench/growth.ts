// Payments into an empty database and into a full one, in alternating slices.
import type { GatewayUnderTest, Shape } from './gateway-under-test.ts'
import type { Options } from './options.ts'
import { medianRate, printTable, rateRows } from './report.ts'
import { alternate, type Contestant, warmUp } from './rounds.ts'
import { payments, type Session } from './session.ts'
import { ratio } from './statistics.ts'

const CONNECTIONS = 256

export async function compareGrowth(
  session: Session,
  { rounds, sliceSeconds: seconds, orders }: Options,
  { large, shape }: { readonly large: GatewayUnderTest; readonly shape: Shape },
): Promise<number | null> {
  const empty = await session.start({ name: 'empty', shape })
  const pay = (name: string, gateway: GatewayUnderTest): Contestant => ({
    name,
    slice: () => payments(session, gateway, { connections: CONNECTIONS, seconds }),
  })
  const [toEmpty, toLarge] = ['into an empty database', `into one of ${orders} orders`]
  const contestants = [pay(toEmpty, empty), pay(toLarge, large)]
  await warmUp(contestants)
  const measured = await alternate(contestants, rounds)
  printTable('Growth', rateRows(measured))
  await session.finish(empty)
  return ratio(medianRate(measured, toLarge), medianRate(measured, toEmpty))
}
