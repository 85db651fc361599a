// Compares two contestants by processor time per payment, which depends less on other load than a rate does.
import type { Row } from './report.ts'
import type { Rounds, Slice } from './rounds.ts'
import { median, round } from './statistics.ts'

/** Processor time per payment of a slice; undefined if the system does not report it. */
export type UsedUs = (slice: Slice) => number | undefined

/** The names of two contestants; the ratio is the first ÷ the second. */
export type Pair = readonly [string, string]

export function bothUs({ gatewayUs, postgresUs }: Slice): number | undefined {
  return gatewayUs === undefined || postgresUs === undefined ? undefined : gatewayUs + postgresUs
}

export function processorRows(rounds: Rounds, pair: Pair): Row[] {
  return [
    ratioRow(rounds, pair, 'gateway', ({ gatewayUs }) => gatewayUs),
    ratioRow(rounds, pair, 'PostgreSQL', ({ postgresUs }) => postgresUs),
    ratioRow(rounds, pair, 'both', bothUs),
  ]
}

function ratioRow(rounds: Rounds, pair: Pair, who: string, used: UsedUs): Row {
  const found = ratios(rounds, pair, used)
  const middle = median(found)
  if (middle === null) return [who, '–']
  const [one, other] = pair.map((name) => medianUs(rounds, name, used))
  const spread = `rounds ${round(Math.min(...found), 3)}–${round(Math.max(...found), 3)}`
  return [who, `${round(middle, 3)}`, `${pair.join(' ÷ ')}: ${one} ÷ ${other} µs, ${spread}`]
}

/** The median ratio over the rounds, for gateway and PostgreSQL together. */
export function processorRatio(rounds: Rounds, pair: Pair): number | null {
  const middle = median(ratios(rounds, pair, bothUs))
  return middle === null ? null : round(middle, 3)
}

/** The ratio of each round, whose slices ran one after the other under the same conditions. */
function ratios(rounds: Rounds, [first, second]: Pair, used: UsedUs): number[] {
  const others = rounds.get(second) ?? []
  return (rounds.get(first) ?? []).flatMap((slice, at) => {
    const [one, other] = [used(slice), others[at] && used(others[at])]
    return one === undefined || other === undefined || other === 0 ? [] : [one / other]
  })
}

export function medianUs(rounds: Rounds, name: string, used: UsedUs): number | null {
  const middle = median((rounds.get(name) ?? []).flatMap((slice) => used(slice) ?? []))
  return middle === null ? null : round(middle)
}
