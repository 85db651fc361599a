// The queue of every request outside of the merchant interface: pages, the back office, documents, files, callbacks,
// health, unknown paths. Most of these requests need no signature, so anybody can send them. They must not delay
// payments, and one sender must not delay the others:
//
// - The requests get a third of the main thread. Each request is charged with the time that the main thread spent on
//   it.
// - One request begins per turn of the event loop, so a payment waits for at most one request.
// - Few requests work at a time, because they share the database with payments. A request gives up its place when the
//   head of its response is sent, or after `placeMs`, because it then likely waits for a counterparty.
// - Networks take turns, so that a network with many waiting requests mostly delays itself.
// - The number of waiting requests is bounded. Waiting slows a flood down more than a refusal would, because a refused
//   client sends its next request at once.
import type { ServerResponse } from 'node:http'

export type FairQueueOptions = {
  readonly mostAtWork: number
  readonly placeMs: number
  readonly mostWaiting: number
  readonly mostOfNetwork: number
  /** The time of the main thread that a burst may take before the share applies. */
  readonly burstMs: number
}

const usual: FairQueueOptions = {
  mostAtWork: 8,
  placeMs: 250,
  mostWaiting: 10_000,
  // This limit is above the limit of connections per network, so that a browser's requests wait. A browser would repeat
  // refused requests.
  mostOfNetwork: 1_000,
  burstMs: 100,
}

/** The share of the main thread that requests of the queue may take. */
const SHARE = 1 / 3
/** The charge for the work that is not measured: before a request begins, and after its first wait. */
const UNSEEN_MS = 0.15
/**
 * The charge for each name and each value in the head. A request with 700 header lines takes four times as long as
 * usual.
 */
const UNSEEN_PER_HEADER_MS = 0.0005
/** The interval of the checks whether a request has given up its place, while all places are taken. */
const CHECK_MS = 5

type Waiting = { readonly response: ServerResponse; readonly begin: () => void }

export class FairQueue {
  readonly #options: FairQueueOptions
  /** The networks in the order of their turns. */
  readonly #waiting = new Map<string, Waiting[]>()
  #waitingCount = 0
  /** The responses in progress, with the time at which each began. */
  readonly #atWork = new Map<ServerResponse, number>()
  /** True if a request has begun in this turn of the event loop. */
  #hasBegun = false
  /** The time at which the queue's share of the main thread will have paid for all charges so far. */
  #paidAtMs = 0
  #checking: NodeJS.Timeout | undefined

  constructor(options: Partial<FairQueueOptions> = {}) {
    this.#options = { ...usual, ...options }
  }

  /**
   * Begins the request now or when its turn comes. Returns false if the request is refused because too many requests
   * wait.
   */
  enter(network: string, response: ServerResponse, begin: () => void): boolean {
    if (this.#waitingCount === 0 && !this.#hasBegun && this.#waitMs() === 0) {
      this.#begin({ response, begin })
      return true
    }
    const ofNetwork = this.#waiting.get(network) ?? []
    const { mostWaiting, mostOfNetwork } = this.#options
    if (this.#waitingCount >= mostWaiting || ofNetwork.length >= mostOfNetwork) return false
    ofNetwork.push({ response, begin })
    this.#waiting.set(network, ofNetwork)
    this.#waitingCount++
    this.#next()
    return true
  }

  #begin({ response, begin }: Waiting): void {
    this.#hasBegun = true
    const beganMs = performance.now()
    this.#atWork.set(response, beganMs)
    response.once('close', () => {
      this.#atWork.delete(response)
      this.#next()
    })
    setImmediate(this.#turn)
    // A tick that a microtask schedules runs after all microtasks. Therefore the charge covers everything that the
    // request does before its first wait.
    const unseenMs = UNSEEN_MS + UNSEEN_PER_HEADER_MS * response.req.rawHeaders.length
    queueMicrotask(() => process.nextTick(this.#charge, beganMs, unseenMs))
    begin()
  }

  readonly #charge = (beganMs: number, unseenMs: number): void => {
    const seenMs = performance.now() - beganMs
    this.#paidAtMs = Math.max(this.#paidAtMs, beganMs) + (seenMs + unseenMs) / SHARE
  }

  readonly #turn = (): void => {
    this.#hasBegun = false
    this.#next()
  }

  #next(): void {
    if (this.#hasBegun || this.#waitingCount === 0 || this.#checking !== undefined) return
    const waitMs = this.#waitMs()
    const next = waitMs === 0 ? this.#take() : undefined
    if (next !== undefined) this.#begin(next)
    else if (this.#waitingCount > 0) this.#checking = setTimeout(this.#check, waitMs)
  }

  readonly #check = (): void => {
    this.#checking = undefined
    this.#next()
  }

  /** Returns the next request whose client still waits. */
  #take(): Waiting | undefined {
    for (const [network, waiting] of this.#waiting) {
      const next = waiting.shift()
      this.#waiting.delete(network)
      if (waiting.length > 0) this.#waiting.set(network, waiting)
      if (next === undefined) continue
      this.#waitingCount--
      if (!next.response.closed) return next
    }
    return undefined
  }

  /** Returns 0 if a request may begin now. Otherwise returns the time until the next check. */
  #waitMs(): number {
    const { mostAtWork, placeMs, burstMs } = this.#options
    const now = performance.now()
    if (this.#atWork.size >= mostAtWork)
      for (const [response, beganMs] of this.#atWork)
        if (response.headersSent || now - beganMs > placeMs) this.#atWork.delete(response)
    if (this.#atWork.size >= mostAtWork) return CHECK_MS
    return Math.max(0, this.#paidAtMs - now - burstMs / SHARE)
  }
}
