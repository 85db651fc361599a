// The output of a run: tables for people, and one line of JSON for programs.
import type { Rounds, Slice } from './rounds.ts'
import { median, round } from './statistics.ts'

export type Summary = {
  /** Rates in the live shape. `live` is the headline: 256 connections, an issuer over HTTP, delivery on. */
  readonly payments: {
    readonly live: number | null
    readonly c64: number | null
    readonly c256: number | null
  }
  /** The rate with the issuer in the gateway's process and without delivery. */
  readonly inProcess: number | null
  /** Processor time per payment in the live shape with 256 connections, in microseconds. */
  readonly processorUs: ProcessorUs
  readonly pgbench: number | null
  readonly echo: number | null
  readonly medusa: number | null
  readonly ratio: {
    /** The headline ÷ pgbench. */
    readonly live: number | null
    readonly pgbench64: number | null
    readonly pgbench256: number | null
    readonly echo: number | null
    readonly medusa: number | null
    readonly growth: number | null
    readonly queries: number | null
  }
  readonly p99Ms: number | null
  readonly rssMb: number | null
  readonly errors: number
}

export type ProcessorUs = {
  readonly gateway: number | null
  readonly postgres: number | null
  readonly issuer: number | null
  readonly receiver: number | null
  readonly load: number | null
}

export type Row = readonly [what: string, value: string, more?: string]

export function medianRate(rounds: Rounds, name: string): number | null {
  const middle = median((rounds.get(name) ?? []).map(({ rate }) => rate))
  return middle === null ? null : round(middle, middle < 100 ? 1 : 0)
}

export function medianOf(rounds: Rounds, name: string, what: Exclude<keyof Slice, 'rate'>): number | null {
  const values = (rounds.get(name) ?? []).flatMap((slice) => slice[what] ?? [])
  const middle = median(values.filter((value) => !Number.isNaN(value)))
  return middle === null ? null : round(middle, 2)
}

/** A line for each contestant: median rate, latencies, processor time, and the range of the slices. */
export function rateRows(rounds: Rounds): Row[] {
  return [...rounds].map(([name, slices]) => {
    const rates = slices.map(({ rate }) => rate)
    const [p50, p99] = [medianOf(rounds, name, 'p50Ms'), medianOf(rounds, name, 'p99Ms')]
    const times = p50 === null ? '' : `p50 ${p50} ms, p99 ${p99} ms, `
    const spread = `slices ${round(Math.min(...rates))}–${round(Math.max(...rates))}`
    return [name, `${medianRate(rounds, name) ?? '–'}/s`, times + processorText(rounds, name) + spread]
  })
}

export function processorUs(rounds: Rounds, name: string): ProcessorUs {
  return {
    gateway: medianOf(rounds, name, 'gatewayUs'),
    postgres: medianOf(rounds, name, 'postgresUs'),
    issuer: medianOf(rounds, name, 'issuerUs'),
    receiver: medianOf(rounds, name, 'receiverUs'),
    load: medianOf(rounds, name, 'loadUs'),
  }
}

function processorText(rounds: Rounds, name: string): string {
  const used = Object.entries(processorUs(rounds, name))
  const known = used.flatMap(([who, us]) => (us === null ? [] : [`${who} ${round(us)}`]))
  return known.length === 0 ? '' : `processor: ${known.join(' + ')} µs, `
}

export function printTable(title: string, rows: readonly Row[]): void {
  if (rows.length === 0) return
  const widths = [0, 1].map((at) => Math.max(...rows.map((row) => (row[at] ?? '').length)))
  console.log(`\n${title}`)
  for (const [what, value, more = ''] of rows) {
    console.log(`  ${what.padEnd(widths[0] ?? 0)}  ${value.padStart(widths[1] ?? 0)}  ${more}`.trimEnd())
  }
}

export function printSummary(summary: object): void {
  console.log(`\n${JSON.stringify(summary)}`)
}

export const nothing: Summary = {
  payments: { live: null, c64: null, c256: null },
  inProcess: null,
  processorUs: { gateway: null, postgres: null, issuer: null, receiver: null, load: null },
  pgbench: null,
  echo: null,
  medusa: null,
  ratio: {
    live: null,
    pgbench64: null,
    pgbench256: null,
    echo: null,
    medusa: null,
    growth: null,
    queries: null,
  },
  p99Ms: null,
  rssMb: null,
  errors: 0,
}
