// Open-loop load: a request is due at its time, whether or not the earlier ones have ended. Each shop has its own
// connections, so that one shop's slow answers never delay another's requests. Latency counts from the time at which a
// request was due, so it includes waiting for a free connection. A request that could not be sent before its part ended
// is dropped, and counted as unsent. The stream also measures its own processor time, and its delay in sending although
// a connection is free.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Connection, openConnection, type Reply, utf8 } from '../connection.ts'
import { type PaymentSource, paymentMaker } from '../shop.ts'
import { Tally, type TallyResult } from './tally.ts'

export type StreamPart = {
  readonly seconds: number
  /** Requests a second of all shops together; 0 for silence. */
  readonly pace: number
}

export type StreamJob = {
  readonly port: number
  readonly source: PaymentSource
  readonly connectionsPerShop: number
  /** The start by the system's clock, so that several processes begin together. */
  readonly startAt: number
  readonly parts: readonly StreamPart[]
}

const DRAIN_MS = 30_000
const ACCEPTED = '"payCode":0'

type Due = { readonly at: number; readonly count: number; readonly tally: Tally }
type Lane = { readonly connection: Connection; readonly shop: number; due: Due | undefined }
type Shop = { readonly idle: Lane[]; waiting: Due[] }

export async function runStream(job: StreamJob): Promise<TallyResult[]> {
  const stream = new Stream(job)
  await stream.open()
  const results = await stream.send()
  await stream.drain()
  return results.map((tally) => tally.result())
}

class Stream {
  readonly #job: StreamJob
  readonly #make: (count: number) => Buffer
  readonly #shops: Shop[]
  readonly #lanes: Lane[] = []
  #count = 0

  constructor(job: StreamJob) {
    this.#job = job
    this.#make = paymentMaker(job.source, '/payment')
    this.#shops = job.source.shops.map(() => ({ idle: [], waiting: [] }))
  }

  /** Opens one connection of each shop at a time, because the server's queue of new connections is short. */
  async open(): Promise<void> {
    const shops = [...this.#shops.keys()]
    for (let at = 0; at < this.#job.connectionsPerShop; at++)
      await Promise.all(shops.map((shop) => this.#openLane(shop)))
  }

  async send(): Promise<Tally[]> {
    const tallies: Tally[] = []
    let startAt = performance.now() + this.#job.startAt - Date.now()
    for (const part of this.#job.parts) {
      const tally = new Tally(startAt, part.seconds, this.#shops.length)
      tallies.push(tally)
      await this.#sendPart(part, startAt, tally)
      startAt += part.seconds * 1000
    }
    return tallies
  }

  async #sendPart({ seconds, pace }: StreamPart, startAt: number, tally: Tally): Promise<void> {
    const total = Math.floor(seconds * pace)
    const endsAt = startAt + seconds * 1000
    const usedBefore = process.cpuUsage()
    for (let sent = 0; performance.now() < endsAt; await sleep(1)) {
      const due = Math.min(total, ((performance.now() - startAt) * pace) / 1000)
      for (; sent < due; sent++)
        this.#begin({ at: startAt + (sent * 1000) / pace, count: this.#count++, tally })
    }
    for (const shop of this.#shops) {
      for (const due of shop.waiting) tally.unsent(due.at)
      shop.waiting = []
    }
    const { user, system } = process.cpuUsage(usedBefore)
    tally.usedProcessor(user + system)
  }

  async drain(): Promise<void> {
    const deadline = performance.now() + DRAIN_MS
    while (this.#lanes.some((lane) => lane.due) && performance.now() < deadline) await sleep(5)
    for (const lane of this.#lanes) {
      lane.due?.tally.failed(lane.due.at, 'no answer in time')
      lane.connection.end()
    }
  }

  #begin(due: Due): void {
    const shop = this.#shops[due.count % this.#shops.length]
    // The lane that was idle for the longest time comes first, because the server closes connections that are idle for
    // some time.
    const lane = shop?.idle.shift()
    if (lane === undefined) shop?.waiting.push(due)
    else {
      due.tally.sent(performance.now() - due.at)
      this.#send(lane, due)
    }
  }

  #send(lane: Lane, due: Due): void {
    lane.due = due
    lane.connection.send(this.#make(due.count))
  }

  async #openLane(shop: number): Promise<void> {
    const connection = await openConnection(this.#job.port, {
      replied: (reply) => this.#replied(lane, reply),
      broke: (why) => this.#broke(lane, why),
    })
    const lane: Lane = { connection, shop, due: undefined }
    this.#lanes.push(lane)
    this.#shops[shop]?.idle.push(lane)
  }

  #replied(lane: Lane, { status, body }: Reply): void {
    const { due, shop } = lane
    if (due === undefined) return
    const ms = performance.now() - due.at
    if (status === 200 && body.includes(ACCEPTED)) due.tally.accepted(due.at, ms, shop)
    else if (status === 503) due.tally.refused(due.at, ms)
    else due.tally.failed(due.at, `HTTP ${status} ${utf8(body.slice(0, 300))}`)
    lane.due = undefined
    const next = this.#shops[shop]?.waiting.shift()
    if (next === undefined) this.#shops[shop]?.idle.push(lane)
    else this.#send(lane, next)
  }

  #broke(lane: Lane, why: string): void {
    lane.due?.tally.failed(lane.due.at, why)
    lane.due = undefined
    const idle = this.#shops[lane.shop]?.idle
    const place = idle?.indexOf(lane) ?? -1
    if (place >= 0) idle?.splice(place, 1)
  }
}
