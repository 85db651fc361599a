// What the gateway of this machine says at /metrics. Some of its state is nowhere else: each process has its own breaker.
import type { Config } from '../config.ts'
import { SET_ASIDE_METRIC } from '../runtime/metrics.ts'
import { reason } from './checks.ts'

const WITHIN_MS = 5_000

export type MetricsRead = { readonly text: string } | { readonly problem: string }

export async function readMetrics({ host, port }: NonNullable<Config['ops']>): Promise<MetricsRead> {
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${port}/metrics`
  try {
    const reply = await fetch(address, { signal: AbortSignal.timeout(WITHIN_MS) })
    const text = await reply.text()
    const isGateway = reply.status === 200 && text.includes('tollgate_requests_total')
    return isGateway ? { text } : { problem: `${address} answered ${reply.status}` }
  } catch (error) {
    return { problem: `${address} does not answer: ${reason(error)}` }
  }
}

/** The kinds of call, payment or payout, for which the channel is set aside. */
export function setAsideFor(metrics: string, channel: string): string[] {
  return metrics
    .split('\n')
    .filter((line) => line.startsWith(`${SET_ASIDE_METRIC}{`) && line.includes(`channel="${channel}"`))
    .flatMap((line) => /kind="(\w+)"/.exec(line)?.[1] ?? [])
}
