// The output of the overload section, and its part of the summary.
import type { Used } from '../processor.ts'
import { printTable } from '../report.ts'
import type { Slice } from '../rounds.ts'
import { round } from '../statistics.ts'
import type { Latency, TallyResult } from './tally.ts'

export type Flood = {
  readonly seconds: number
  /** The modest merchants, before, during and after the flood. */
  readonly before: TallyResult
  readonly during: TallyResult
  readonly after: TallyResult
  readonly flooding: TallyResult
  readonly used: Used | undefined
  readonly mb: { readonly before: number; readonly peak: number; readonly after: number }
  readonly recovered: number | null
}

export type FloodReport = {
  readonly offered: number
  readonly accepted: number
  readonly calmP99Ms: number
  /**
   * The p99 of accepted payments during the flood: the larger one of the two groups of merchants, and that of the
   * modest group.
   */
  readonly acceptedP99Ms: number
  readonly modestP99Ms: number | null
  readonly refusedP99Ms: number
  readonly modestShare: number | null
  readonly rssMb: number
  readonly recoverySeconds: number | null
}

export type OverloadSummary = {
  readonly topRate: number
  readonly seconds: number
  readonly one: FloodReport
  readonly all: FloodReport
}

/** Prints the best rate of short slices, and the rate and latency of a run as long as the flood. */
export function printTop(rate: number, steady: Slice): void {
  const { p50Ms = Number.NaN, p99Ms = Number.NaN } = steady
  printTable('Top rate', [
    ['payments, 256 connections, best slice', `${round(rate)}/s`],
    ['as long as the flood', `${round(steady.rate)}/s`, `p50 ${round(p50Ms)} ms, p99 ${round(p99Ms)} ms`],
  ])
}

export function printFlood(name: string, flood: Flood): FloodReport {
  const { seconds, before, during, flooding, mb, recovered } = flood
  const rate = (count: number) => `${round(count / seconds)}/s`
  const share = during.due === 0 ? null : during.accepted / during.due
  const shares = [...flooding.acceptedByShop].sort((one, other) => one - other)
  const [least = 0, most = 0] = [shares[0], shares.at(-1)]
  printTable(`Overload: ${name}, ${seconds} s`, [
    ['offered', rate(during.due + flooding.due), `${flooding.unsent} found no free connection`],
    ['accepted', rate(during.accepted + flooding.accepted)],
    ['accepted, before the flood', latencyText(before.acceptedMs)],
    ['accepted, modest merchants', latencyText(during.acceptedMs)],
    ['accepted, flooding merchants', latencyText(flooding.acceptedMs)],
    ['503, modest merchants', latencyText(during.refusedMs), `${during.refused} requests`],
    ['503, flooding merchants', latencyText(flooding.refusedMs), `${flooding.refused} requests`],
    ['accepted of the modest merchants', share === null ? '–' : `${round(share * 100, 2)} %`, 'goal ≥ 99 %'],
    ['accepted per flooding merchant', `${rate(least)}–${rate(most)}`],
    ['processors', processorText(flood), '100 % is one core'],
    ['sent late by the load itself', latencyText(flooding.sentLateMs)],
    ['memory before, peak, after', `${mb.before}, ${mb.peak}, ${mb.after} MB`],
    ['as before again', recovered === null ? 'not seen' : `after ${recovered} s`, 'goal ≤ 5 s'],
  ])
  return {
    offered: round((during.due + flooding.due) / seconds),
    accepted: round((during.accepted + flooding.accepted) / seconds),
    calmP99Ms: round(before.acceptedMs.p99, 1),
    acceptedP99Ms: round(Math.max(during.acceptedMs.p99 || 0, flooding.acceptedMs.p99 || 0), 1),
    modestP99Ms: share === null ? null : round(during.acceptedMs.p99, 1),
    refusedP99Ms: round(flooding.refusedMs.p99, 1),
    modestShare: share === null ? null : round(share, 4),
    rssMb: mb.peak,
    recoverySeconds: recovered,
  }
}

function processorText({ seconds, used, during, flooding }: Flood): string {
  const share = (us: number) => `${round(us / seconds / 10_000)} %`
  const load = `load ${share(during.processorUs)} + ${share(flooding.processorUs)}`
  if (used === undefined) return load
  const { gateway, postgres, issuer } = used
  return `gateway ${share(gateway)}, PostgreSQL ${share(postgres)}, issuer ${share(issuer)}, ${load}`
}

function latencyText({ p50, p99 }: Latency): string {
  return Number.isNaN(p50) ? '–' : `p50 ${round(p50, 1)} ms, p99 ${round(p99, 1)} ms`
}
