// Reads /metrics of the gateway on this machine. Only the gateway has the state of its circuit breakers.
import type { Config } from '../../platform/config/config.ts'
import { OPEN_BREAKER_METRIC } from '../../platform/runtime/metrics.ts'
import { reason } from './checks.ts'

const WITHIN_MS = 5_000

type MetricsRead = { readonly text: string } | { readonly problem: string }

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

/** The kinds of call (payment, payout) whose circuit breaker is open. */
export function openBreakersOf(metrics: string, channel: string): string[] {
  return metrics
    .split('\n')
    .filter((line) => line.startsWith(`${OPEN_BREAKER_METRIC}{`) && line.includes(`channel="${channel}"`))
    .flatMap((line) => /kind="(\w+)"/.exec(line)?.[1] ?? [])
}
