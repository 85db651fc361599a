// `npm run bench -- --against FOLDER`: this version beside another checkout of this repository, in alternating slices. Shows
// whether a change made payments slower, by processor time per payment, which depends less on other load than a rate does.
import { resolve } from 'node:path'
import { thisCheckout } from './checkout.ts'
import type { GatewayUnderTest } from './gateway-under-test.ts'
import type { Options } from './options.ts'
import { printTable, type Row, rateRows } from './report.ts'
import { alternate, type Contestant, type Rounds, type Slice, warmUp } from './rounds.ts'
import { payments, recycleLog, type Session } from './session.ts'
import { inProcessShape, liveShape, type Shape, startLeanIssuer } from './shape.ts'
import { median, round } from './statistics.ts'

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
  printTable('Processor time a payment', [
    usedRow(rounds, 'gateway', ({ gatewayUs }) => gatewayUs),
    usedRow(rounds, 'PostgreSQL', ({ postgresUs }) => postgresUs),
    usedRow(rounds, 'both', bothUs),
  ])
  await session.finish(here)
  await session.finish(there)
  const middle = median(ratios(rounds, bothUs))
  return {
    hereUs: medianUs(rounds, HERE, bothUs),
    thereUs: medianUs(rounds, THERE, bothUs),
    ratio: middle === null ? null : round(middle, 3),
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

/** Processor time per payment of a slice; undefined if the system does not report it. */
type UsedUs = (slice: Slice) => number | undefined

function bothUs({ gatewayUs, postgresUs }: Slice): number | undefined {
  return gatewayUs === undefined || postgresUs === undefined ? undefined : gatewayUs + postgresUs
}

function usedRow(rounds: Rounds, who: string, used: UsedUs): Row {
  const found = ratios(rounds, used)
  const middle = median(found)
  if (middle === null) return [who, '–']
  const [here, there] = [medianUs(rounds, HERE, used), medianUs(rounds, THERE, used)]
  const spread = `rounds ${round(Math.min(...found), 3)}–${round(Math.max(...found), 3)}`
  return [who, `${round(middle, 3)}`, `${HERE} ÷ ${THERE}: ${here} ÷ ${there} µs, ${spread}`]
}

/** One for each round: its two slices ran one after the other, under the same conditions. */
function ratios(rounds: Rounds, used: UsedUs): number[] {
  const there = rounds.get(THERE) ?? []
  return (rounds.get(HERE) ?? []).flatMap((slice, at) => {
    const [one, other] = [used(slice), there[at] && used(there[at])]
    return one === undefined || other === undefined || other === 0 ? [] : [one / other]
  })
}

function medianUs(rounds: Rounds, name: string, used: UsedUs): number | null {
  const middle = median((rounds.get(name) ?? []).flatMap((slice) => used(slice) ?? []))
  return middle === null ? null : round(middle)
}
