// The metrics that Prometheus reads at /metrics.
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'

export type Metrics = {
  text(): Promise<string>
  readonly contentType: string
  request(endpoint: string, code: string, seconds: number): void
  batch(step: string, size: number): void
  /** Counts a merchant's request that was refused with 503. */
  refused(reason: string): void
  /** Adds a gauge. `read` runs only when Prometheus scrapes. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void
  /** Adds a gauge that is 1 for each channel and kind of call that `read` names. Other channels have no value. */
  channels(name: string, help: string, read: () => Readonly<Record<CallKind, readonly string[]>>): void
  alarm(): void
  /** Counts a call that asks a channel to open a payment or to send a payout. */
  channel(channel: string, kind: CallKind, outcome: string, seconds: number): void
  delivery(outcome: string, lateMs: number, latencyMs: number): void
}

export type CallKind = 'payment' | 'payout'

/** The metric of open circuit breakers, which each process counts for itself. Commands read this metric too. */
export const OPEN_BREAKER_METRIC = 'tollgate_channel_circuit_breaker_open'

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const families: { text(): string }[] = []
  const added = <Added extends { text(): string }>(family: Added): Added => {
    families.push(family)
    return family
  }
  const counts = (named: Named) => added(new Family(named, 'counter', () => new Count()))
  const spreads = ({ buckets, ...named }: Named & { readonly buckets: readonly number[] }) =>
    added(new Family(named, 'histogram', () => new Spread(buckets)))
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

// These metrics count events that happen thousands of times a second. The library checks and joins the labels at every
// count, which costs a payment several microseconds. Here a count is an addition, and the labels are joined when
// Prometheus reads. https://prometheus.io/docs/instrumenting/exposition_formats/

type Tally = { lines(name: string, labels: string): readonly string[] }

type Branch<Kind> = { readonly below: Map<string, Branch<Kind>>; tally: Kind | undefined }

type Named = {
  readonly name: string
  readonly help: string
  readonly labels?: readonly string[]
}

/** The tallies of a metric, one per set of label values. All values are from our own lists, so the tallies are few. */
class Family<Kind extends Tally> {
  readonly #named: Named
  readonly #type: string
  readonly #create: () => Kind
  readonly #root: Branch<Kind> = { below: new Map(), tally: undefined }

  constructor(named: Named, type: 'counter' | 'histogram', create: () => Kind) {
    this.#named = named
    this.#type = type
    this.#create = create
    // A metric without labels has one tally, which Prometheus sees from the start.
    if (named.labels === undefined) this.at()
  }

  /** The tally for these label values, which are in the order of the labels. */
  at(...values: readonly string[]): Kind {
    let branch = this.#root
    for (const value of values) {
      let next = branch.below.get(value)
      if (next === undefined) {
        next = { below: new Map(), tally: undefined }
        branch.below.set(value, next)
      }
      branch = next
    }
    branch.tally ??= this.#create()
    return branch.tally
  }

  text(): string {
    const { name, help, labels = [] } = this.#named
    const lines = [...talliesBelow(this.#root)].flatMap(([tally, values]) =>
      tally.lines(name, values.map((value, at) => `${labels[at]}="${escaped(value)}"`).join(',')),
    )
    return [`# HELP ${name} ${help}`, `# TYPE ${name} ${this.#type}`, ...lines].join('\n')
  }
}

function* talliesBelow<Kind>(
  { below, tally }: Branch<Kind>,
  values: readonly string[] = [],
): Iterable<readonly [Kind, readonly string[]]> {
  if (tally !== undefined) yield [tally, values]
  for (const [value, branch] of below) yield* talliesBelow(branch, [...values, value])
}

function escaped(value: string): string {
  return value.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')
}

class Count {
  #value = 0

  add(): void {
    this.#value++
  }

  lines(name: string, labels: string): readonly string[] {
    return [line(name, labels, this.#value)]
  }
}

class Spread {
  readonly #bounds: readonly number[]
  /**
   * The number of values in each bucket: above the bound of the previous bucket, and at most the bucket's own bound.
   * The last bucket has no upper bound.
   */
  readonly #counts: number[]
  #sum = 0

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.#counts = new Array(bounds.length + 1).fill(0)
  }

  add(value: number): void {
    let at = 0
    while (value > (this.#bounds[at] ?? Number.POSITIVE_INFINITY)) at++
    this.#counts[at] = (this.#counts[at] ?? 0) + 1
    this.#sum += value
  }

  lines(name: string, labels: string): readonly string[] {
    const and = labels === '' ? '' : `,${labels}`
    let count = 0
    const buckets = [...this.#bounds, '+Inf'].map((bound, at) => {
      count += this.#counts[at] ?? 0
      return line(`${name}_bucket`, `le="${bound}"${and}`, count)
    })
    return [...buckets, line(`${name}_sum`, labels, this.#sum), line(`${name}_count`, labels, count)]
  }
}

function line(name: string, labels: string, value: number): string {
  return `${name}${labels === '' ? '' : `{${labels}}`} ${value}`
}
