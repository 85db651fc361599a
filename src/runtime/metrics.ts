// The metrics that Prometheus reads at /metrics.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { memoize } from '../base/memoize.ts'

export type Metrics = {
  readonly registry: Registry
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

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const requests = new Counter({
    name: 'tollgate_requests_total',
    help: 'Responses to merchants, by endpoint and code',
    labelNames: ['endpoint', 'code'],
    registers,
  })
  const latency = new Histogram({
    name: 'tollgate_request_seconds',
    help: 'Time from request to response, by endpoint',
    labelNames: ['endpoint'],
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30],
    registers,
  })
  const batches = new Histogram({
    name: 'tollgate_batch_size',
    help: 'Payments that shared one commit, by step',
    labelNames: ['step'],
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    registers,
  })
  const refusals = new Counter({
    name: 'tollgate_overload_refusals_total',
    help: 'Requests of merchants that got 503 because of overload, by reason',
    labelNames: ['reason'],
    registers,
  })
  const alarms = new Counter({
    name: 'tollgate_alarms_total',
    help: 'Outcomes that contradict the recorded one or confirm a different amount, and audits with findings',
    registers,
  })
  const deliveries = new Counter({
    name: 'tollgate_deliveries_total',
    help: 'Attempts to deliver notifications, by outcome',
    labelNames: ['outcome'],
    registers,
  })
  const lateness = new Histogram({
    name: 'tollgate_delivery_late_seconds',
    help: 'Time from when an attempt was due to when it was sent',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 300],
    registers,
  })
  const answers = new Histogram({
    name: 'tollgate_delivery_seconds',
    help: "Response time of merchants' servers",
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
    registers,
  })
  const channelCalls = new Counter({
    name: 'tollgate_channel_calls_total',
    help: 'Payments that a channel was asked to open and payouts that it was asked to send, by outcome',
    labelNames: ['channel', 'kind', 'outcome'],
    registers,
  })
  const channelLatency = new Histogram({
    name: 'tollgate_channel_seconds',
    help: 'Response time of channels',
    labelNames: ['channel', 'kind'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
    registers,
  })
  // Looking a counter up by its labels takes longer than counting.
  const late = lateness.labels()
  const answered = answers.labels()
  const refused = memoize(10, (reason) => refusals.labels({ reason }))
  const delivered = memoize(10, (outcome) => deliveries.labels({ outcome }))
  const latencyOf = memoize(400, (key) => {
    const [channel = '', kind = ''] = key.split(' ')
    return channelLatency.labels({ channel, kind })
  })
  const called = memoize(1_600, (key) => {
    const [channel = '', kind = '', outcome = ''] = key.split(' ')
    return channelCalls.labels({ channel, kind, outcome })
  })
  const counted = memoize(1_600, (key) => {
    const [endpoint = '', code = ''] = key.split(' ')
    return requests.labels({ endpoint, code })
  })
  const timed = memoize(100, (endpoint) => latency.labels({ endpoint }))
  return {
    registry,
    delivery(outcome, lateMs, latencyMs) {
      delivered(outcome).inc()
      late.observe(Math.max(0, lateMs) / 1000)
      answered.observe(latencyMs / 1000)
    },
    request(endpoint, code, seconds) {
      counted(`${endpoint} ${code}`).inc()
      timed(endpoint).observe(seconds)
    },
    refused: (reason) => refused(reason).inc(),
    batch: (step, size) => batches.observe({ step }, size),
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
    alarm: () => alarms.inc(),
    channel(channel, kind, outcome, seconds) {
      called(`${channel} ${kind} ${outcome}`).inc()
      latencyOf(`${channel} ${kind}`).observe(seconds)
    },
  }
}
