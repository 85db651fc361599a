// A gateway in virtual time: payments pass the gate, are accepted in batches, wait for their channel, and are recorded in batches.
// A step takes as long as measured on two cores: with 64 payments at once 1,300 are done a second, with 256 some 1,370.
import { Gate } from '../src/concurrency/gate.ts'

export type Merchant = { readonly merNo: number; readonly perSecond: number; readonly channelMs?: number }
/** From second to second; what began before it ends later. */
export type Load = { readonly seconds: number; readonly merchants: readonly Merchant[] }
export type Fate = {
  readonly merNo: number
  readonly atMs: number
  /** Undefined: it was refused. */
  readonly tookMs: number | undefined
}

const MAX_BATCH = 96
const measuredStepMs = (payments: number) => 2 + 0.7 * payments
const CHANNEL_MS = 2

type Payment = {
  readonly merNo: number
  readonly atMs: number
  readonly channelMs: number
  submittedMs: number
}

export function simulate(loads: readonly Load[], stepMs = measuredStepMs) {
  const gate = new Gate({ most: 4_096 })
  const agenda = new Agenda()
  const fates: Fate[] = []
  let mostUnderWay = 0

  const record = new Step(agenda, gate, stepMs, ({ merNo, atMs }) => {
    gate.leave(merNo)
    fates.push({ merNo, atMs, tookMs: agenda.nowMs - atMs })
  })
  const accept = new Step(agenda, gate, stepMs, (payment) => {
    gate.callBegan(payment.merNo)
    agenda.after(payment.channelMs, () => {
      gate.callEnded(payment.merNo)
      record.submit(payment)
    })
  })
  const arrive = ({ merNo, channelMs = CHANNEL_MS }: Merchant) => {
    const atMs = agenda.nowMs
    if (gate.enter(merNo)) accept.submit({ merNo, atMs, channelMs, submittedMs: atMs })
    else fates.push({ merNo, atMs, tookMs: undefined })
    mostUnderWay = Math.max(mostUnderWay, gate.underWay)
  }
  let fromMs = 0
  for (const { seconds, merchants } of loads) {
    for (const [turn, merchant] of merchants.entries()) {
      const { perSecond } = merchant
      const gapMs = 1000 / perSecond
      for (let n = 0; n < seconds * perSecond; n++)
        agenda.at(fromMs + (n + turn / merchants.length) * gapMs, () => arrive(merchant))
    }
    fromMs += seconds * 1000
  }
  agenda.run()
  return { fates, mostUnderWay, gate }
}

/** One batch at a time, like the batchers of payments. */
class Step {
  readonly #agenda: Agenda
  readonly #gate: Gate
  readonly #stepMs: (payments: number) => number
  readonly #done: (payment: Payment) => void
  #queue: Payment[] = []
  #isRunning = false

  constructor(
    agenda: Agenda,
    gate: Gate,
    stepMs: (payments: number) => number,
    done: (payment: Payment) => void,
  ) {
    this.#agenda = agenda
    this.#gate = gate
    this.#stepMs = stepMs
    this.#done = done
  }

  submit(payment: Payment): void {
    payment.submittedMs = this.#agenda.nowMs
    this.#queue.push(payment)
    if (!this.#isRunning) this.#flush()
  }

  #flush(): void {
    const batch = this.#queue.slice(0, MAX_BATCH)
    this.#queue = this.#queue.slice(MAX_BATCH)
    this.#isRunning = batch.length > 0
    const [first] = batch
    if (first === undefined) return
    const flushMs = this.#stepMs(batch.length)
    this.#agenda.after(flushMs, () => {
      for (const payment of batch) this.#done(payment)
      this.#gate.stepDone(batch.length, this.#agenda.nowMs - first.submittedMs, flushMs)
      this.#flush()
    })
  }
}

type Entry = { readonly atMs: number; readonly act: () => void }

/** What happens next, by time: a binary heap. */
class Agenda {
  readonly #heap: Entry[] = []
  nowMs = 0

  after(ms: number, act: () => void): void {
    this.at(this.nowMs + ms, act)
  }

  at(atMs: number, act: () => void): void {
    const heap = this.#heap
    let at = heap.push({ atMs, act }) - 1
    for (let up = (at - 1) >> 1; at > 0 && this.#time(at) < this.#time(up); at = up, up = (at - 1) >> 1)
      this.#swap(at, up)
  }

  run(): void {
    for (let next = this.#take(); next !== undefined; next = this.#take()) {
      this.nowMs = next.atMs
      next.act()
    }
  }

  #take(): Entry | undefined {
    const heap = this.#heap
    const [first] = heap
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return first
    heap[0] = last
    for (let at = 0; ; ) {
      const left = 2 * at + 1
      const child = this.#time(left + 1) < this.#time(left) ? left + 1 : left
      if (this.#time(child) >= this.#time(at)) return first
      this.#swap(at, child)
      at = child
    }
  }

  #time(at: number): number {
    return this.#heap[at]?.atMs ?? Number.POSITIVE_INFINITY
  }

  #swap(one: number, other: number): void {
    const [first, second] = [this.#heap[one], this.#heap[other]]
    if (first === undefined || second === undefined) return
    this.#heap[one] = second
    this.#heap[other] = first
  }
}
