// `npm run bench -- --against FOLDER`: compares this version with another checkout of this repository, in alternating
// slices. The measure is processor time per payment, which depends less on other load than a rate does.
import { resolve } from 'node:path'
import { thisCheckout } from './checkout.ts'
import type { GatewayUnderTest, Shape } from './gateway-under-test.ts'
import type { Options } from './options.ts'
import { bothUs, medianUs, processorRatio, processorRows } from './processor-ratio.ts'
import { printTable, rateRows } from './report.ts'
import { alternate, type Contestant, warmUp } from './rounds.ts'
import { payments, recycleLog, type Session } from './session.ts'
import { inProcessShape, liveShape, startLeanIssuer } from './shape.ts'

const CONNECTIONS = 256
const [HERE, THERE] = ['this version', 'the other']

type Compared = {
  /** Processor time per payment, gateway and PostgreSQL together, in microseconds. */
  readonly hereUs: number | null
  readonly thereUs: number | null
  /** This version ÷ the other, the median over the rounds. */
  readonly ratio: number | null
}

export type AgainstSummary = { readonly live: Compared; readonly inProcess: Compared }

export async function runAgainst(
  session: Session,
  options: Options,
  folder: string,
): Promise<AgainstSummary> {
  const other = resolve(folder)
  const issuer = await startLeanIssuer(session)
  const live = await compare(session, options, {
    name: 'live',
    title: 'Card channel over HTTP to the lean issuer, delivering notifications',
    here: { checkout: thisCheckout, shape: liveShape(issuer) },
    there: { checkout: other, shape: liveShape(issuer) },
  })
  const inProcess = await compare(session, options, {
    name: 'in_process',
    title: 'Issuer in the process, no delivery',
    here: { checkout: thisCheckout, shape: inProcessShape(thisCheckout) },
    there: { checkout: other, shape: inProcessShape(other) },
  })
  return { live, inProcess }
}

type Side = { readonly checkout: string; readonly shape: Shape }
type Comparison = {
  readonly name: string
  readonly title: string
  readonly here: Side
  readonly there: Side
}

async function compare(session: Session, options: Options, comparison: Comparison): Promise<Compared> {
  const { name, title } = comparison
  const here = await session.start({ name: `${name}_here`, ...comparison.here })
  const there = await session.start({ name: `${name}_there`, ...comparison.there })
  const contestants = [contestant(session, options, HERE, here), contestant(session, options, THERE, there)]
  await recycleLog(here)
  await warmUp(contestants)
  const rounds = await alternate(contestants, options.rounds)
  printTable(title, rateRows(rounds))
  printTable('Processor time a payment', processorRows(rounds, [HERE, THERE]))
  await session.finish(here)
  await session.finish(there)
  return {
    hereUs: medianUs(rounds, HERE, bothUs),
    thereUs: medianUs(rounds, THERE, bothUs),
    ratio: processorRatio(rounds, [HERE, THERE]),
  }
}

function contestant(
  session: Session,
  { sliceSeconds: seconds }: Options,
  name: string,
  gateway: GatewayUnderTest,
): Contestant {
  return { name, slice: () => payments(session, gateway, { connections: CONNECTIONS, seconds, drain: true }) }
}
