// The metrics that Prometheus reads at /metrics.
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { Count, Family, type Named, Spread } from './tallies.ts'

export type Metrics = {
  /** The response to Prometheus, and its type. */
  text(): Promise<string>
  readonly contentType: string
  request(endpoint: string, code: string, seconds: number): void
  batch(step: string, size: number): void
  /** A merchant's request was refused with 503. */
  refused(reason: string): void
  /** `read` runs when Prometheus scrapes, so it costs nothing in between. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void
  /** 1 for each channel that `read` names, and kind of call; the others have no value. */
  channels(name: string, help: string, read: () => Readonly<Record<CallKind, readonly string[]>>): void
  alarm(): void
  /** A channel was called to open a payment or to send a payout. */
  channel(channel: string, kind: CallKind, outcome: string, seconds: number): void
  delivery(outcome: string, lateMs: number, latencyMs: number): void
}

export type CallKind = 'payment' | 'payout'

/** Of each process its own: commands read it, too. */
export const SET_ASIDE_METRIC = 'tollgate_channel_set_aside'

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const families: { text(): string }[] = []
  const counts = (named: Named) => {
    const family = new Family(named, 'counter', () => new Count())
    families.push(family)
    return family
  }
  const spreads = ({ buckets, ...named }: Named & { readonly buckets: readonly number[] }) => {
    const family = new Family(named, 'histogram', () => new Spread(buckets))
    families.push(family)
    return family
  }
  const requests = counts({
    name: 'tollgate_requests_total',
    help: 'Responses to merchants, by endpoint and code',
    labels: ['endpoint', 'code'],
  })
  const latency = spreads({
    name: 'tollgate_request_seconds',
    help: 'Time from request to response, by endpoint',
    labels: ['endpoint'],
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30],
  })
  const batches = spreads({
    name: 'tollgate_batch_size',
    help: 'Payments that shared one commit, by step',
    labels: ['step'],
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
  })
  const refusals = counts({
    name: 'tollgate_overload_refusals_total',
    help: 'Requests of merchants that got 503 because of overload, by reason',
    labels: ['reason'],
  })
  const alarms = counts({
    name: 'tollgate_alarms_total',
    help: 'Outcomes that contradict the recorded one or confirm a different amount, and audits with findings',
  })
  const deliveries = counts({
    name: 'tollgate_deliveries_total',
    help: 'Attempts to deliver notifications, by outcome',
    labels: ['outcome'],
  })
  const lateness = spreads({
    name: 'tollgate_delivery_late_seconds',
    help: 'Time from when an attempt was due to when it was sent',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 300],
  })
  const answers = spreads({
    name: 'tollgate_delivery_seconds',
    help: "Response time of merchants' servers",
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
  })
  const channelCalls = counts({
    name: 'tollgate_channel_calls_total',
    help: 'Payments that a channel was asked to open and payouts that it was asked to send, by outcome',
    labels: ['channel', 'kind', 'outcome'],
  })
  const channelLatency = spreads({
    name: 'tollgate_channel_seconds',
    help: 'Response time of channels',
    labels: ['channel', 'kind'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
  })
  return {
    contentType: registry.contentType,
    async text() {
      const tallied = families.map((family) => family.text())
      return `${tallied.join('\n\n')}\n\n${await registry.metrics()}`
    },
    delivery(outcome, lateMs, latencyMs) {
      deliveries.at(outcome).add()
      lateness.at().add(Math.max(0, lateMs) / 1000)
      answers.at().add(latencyMs / 1000)
    },
    request(endpoint, code, seconds) {
      requests.at(endpoint, code).add()
      latency.at(endpoint).add(seconds)
    },
    refused: (reason) => refusals.at(reason).add(),
    batch: (step, size) => batches.at(step).add(size),
    gauge(name, help, read) {
      new Gauge({
        name,
        help,
        registers,
        async collect() {
          this.set(await read())
        },
      })
    },
    channels(name, help, read) {
      new Gauge({
        name,
        help,
        registers,
        labelNames: ['channel', 'kind'],
        collect() {
          this.reset()
          for (const [kind, list] of Object.entries(read()))
            for (const channel of list) this.set({ channel, kind }, 1)
        },
      })
    },
    alarm: () => alarms.at().add(),
    channel(channel, kind, outcome, seconds) {
      channelCalls.at(channel, kind, outcome).add()
      channelLatency.at(channel, kind).add(seconds)
    },
  }
}
