// Generates load over some connections for some seconds, as fast as responses come or at an even pace.
//
// At an even pace, latency counts from the time when a request was due, not from when a connection was free for the
// request: a server that falls behind cannot hide its queue.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Connection, openConnection, type Reply, utf8 } from './connection.ts'
import { type PaymentSource, paymentMaker } from './shop.ts'
import { quantile } from './statistics.ts'

export type Target = { readonly port: number; readonly path: string }

export type Job = {
  /** Connections are spread evenly over the targets. */
  readonly targets: readonly Target[]
  readonly connections: number
  readonly seconds: number
  /** Requests a second; undefined for as many as possible. */
  readonly pace?: number
  /** New payments, or the same requests repeated. */
  readonly source: PaymentSource | { readonly requests: readonly string[] }
  /** The number of payments to prepare before the clock starts. */
  readonly ahead?: number
  /**
   * A response with status 200 counts under the first of these texts that it contains. Any other response is a failure.
   */
  readonly expect: readonly string[]
}

export type Measured = {
  /** Successful responses a second, without those after the end of the time. */
  readonly rate: number
  /** All successful responses by expected text and target, including those after the end of the time. */
  readonly answered: readonly number[]
  readonly byTarget: readonly number[]
  readonly failures: number
  /** Descriptions of the first few failures. */
  readonly samples: readonly string[]
  readonly p50Ms: number
  readonly p99Ms: number
  /** The load client's own processor time, from the first request to the last response, in microseconds. */
  readonly usedUs: number
}

const DRAIN_MS = 30_000
const MOST_AHEAD = 60_000
const MOST_SAMPLES = 5

export async function runJob(job: Job): Promise<Measured> {
  const stretch = new Stretch(job)
  await stretch.open()
  const usedBefore = process.cpuUsage()
  await stretch.send()
  await stretch.drain()
  const { user, system } = process.cpuUsage(usedBefore)
  return { ...stretch.measured(), usedUs: user + system }
}

type Lane = { readonly connection: Connection; readonly target: number; dueAt: number; busy: boolean }

class Stretch {
  readonly #job: Job
  readonly #next: (count: number) => Buffer
  readonly #lanes: Lane[] = []
  readonly #idle: Lane[] = []
  readonly #latencies: number[] = []
  readonly #answered: number[]
  readonly #byTarget: number[]
  readonly #samples: string[] = []
  #failures = 0
  #sent = 0
  #inTime = 0
  #startedAt = 0
  #endsAt = 0

  constructor(job: Job) {
    this.#job = job
    this.#next = requestsOf(job)
    this.#answered = job.expect.map(() => 0)
    this.#byTarget = job.targets.map(() => 0)
  }

  async open(): Promise<void> {
    await Promise.all(Array.from({ length: this.#job.connections }, (_, at) => this.#openLane(at)))
  }

  async send(): Promise<void> {
    this.#startedAt = performance.now()
    this.#endsAt = this.#startedAt + this.#job.seconds * 1000
    const pauseMs = this.#job.pace === undefined ? 50 : 1
    for (let now = this.#startedAt; now < this.#endsAt; now = performance.now()) {
      this.#pump(now)
      await sleep(pauseMs)
    }
  }

  async drain(): Promise<void> {
    const deadline = performance.now() + DRAIN_MS
    while (this.#lanes.some((lane) => lane.busy) && performance.now() < deadline) await sleep(5)
    for (const lane of this.#lanes) {
      if (lane.busy) this.#fail('no response in time')
      lane.connection.end()
    }
  }

  measured(): Omit<Measured, 'usedUs'> {
    const latencies = this.#latencies.sort((one, other) => one - other)
    return {
      rate: this.#inTime / this.#job.seconds,
      answered: this.#answered,
      byTarget: this.#byTarget,
      failures: this.#failures,
      samples: this.#samples,
      p50Ms: quantile(latencies, 0.5),
      p99Ms: quantile(latencies, 0.99),
    }
  }

  async #openLane(at: number): Promise<void> {
    const target = at % this.#job.targets.length
    const connection = await openConnection(this.#job.targets[target]?.port ?? 0, {
      replied: (reply) => this.#replied(lane, reply),
      broke: (why) => this.#broke(lane, why),
    })
    const lane: Lane = { connection, target, dueAt: 0, busy: false }
    this.#lanes.push(lane)
    this.#idle.push(lane)
  }

  #pump(now: number): void {
    if (now >= this.#endsAt) return
    const { pace } = this.#job
    const due = pace === undefined ? Number.POSITIVE_INFINITY : ((now - this.#startedAt) * pace) / 1000
    while (this.#sent < due) {
      const lane = this.#idle.pop()
      if (lane === undefined) return
      lane.dueAt = pace === undefined ? now : this.#startedAt + (this.#sent * 1000) / pace
      lane.busy = true
      lane.connection.send(this.#next(this.#sent++))
    }
  }

  #replied(lane: Lane, { status, body }: Reply): void {
    const now = performance.now()
    lane.busy = false
    this.#idle.push(lane)
    const found = status === 200 ? this.#job.expect.findIndex((text) => body.includes(text)) : -1
    if (found < 0) this.#fail(`HTTP ${status} ${utf8(body.slice(0, 300))}`)
    else {
      this.#answered[found] = (this.#answered[found] ?? 0) + 1
      this.#byTarget[lane.target] = (this.#byTarget[lane.target] ?? 0) + 1
      this.#latencies.push(now - lane.dueAt)
      if (now <= this.#endsAt) this.#inTime++
    }
    this.#pump(now)
  }

  #broke(lane: Lane, why: string): void {
    if (lane.busy) this.#fail(why)
    lane.busy = false
    const place = this.#idle.indexOf(lane)
    if (place >= 0) this.#idle.splice(place, 1)
  }

  #fail(why: string): void {
    this.#failures++
    if (this.#samples.length < MOST_SAMPLES) this.#samples.push(why)
  }
}

/** Prepares as many payments in advance as the job asks for, and creates the others when they are sent. */
function requestsOf({ source, targets, ahead = 0 }: Job): (count: number) => Buffer {
  if ('requests' in source) {
    const ready = source.requests.map((text) => Buffer.from(text))
    return (count) => ready[count % ready.length] ?? Buffer.alloc(0)
  }
  const make = paymentMaker(source, targets[0]?.path ?? '/')
  const ready = Array.from({ length: Math.min(ahead, MOST_AHEAD) }, (_, count) => make(count))
  return (count) => ready[count] ?? make(count)
}
