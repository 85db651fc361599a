// Tells open pages that they are outdated. One query per second serves all pages. The number of streams and their
// duration are limited. A page without a stream polls instead. LISTEN and NOTIFY are not used, because every payment
// would need one more statement, although most payments have no open page.

import { PassThrough, type Readable } from 'node:stream'
import type { OrderKey } from '../../../money/orders/order.ts'

export type StatusStreams = {
  /**
   * True if a stream may be opened. The caller checks this first, so that it reads nothing for a stream that would be
   * refused.
   */
  hasCapacity(key: OrderKey): boolean
  /** Opens a stream that sends the page version now and on every change. Undefined if `hasCapacity` is false. */
  open(key: OrderKey, version: string): Readable | undefined
  /** Ends all streams, so that a shutdown does not wait for them. */
  close(): void
}

export type StreamDeps = {
  /** Returns the current page versions by trade number. Orders that do not exist are missing. */
  readVersions(keys: readonly OrderKey[]): Promise<ReadonlyMap<string, string>>
  readonly onError: (error: unknown) => void
  readonly limits?: Partial<typeof defaults>
}

const defaults = { max: 2_000, maxPerOrder: 4, lifeMs: 10 * 60_000, pollMs: 1_000, heartbeatMs: 20_000 }

type Stream = {
  readonly key: OrderKey
  readonly to: PassThrough
  readonly until: number
  version: string
  heartbeatAt: number
}

export function openStatusStreams({ readVersions, onError, limits }: StreamDeps): StatusStreams {
  const { max, maxPerOrder, lifeMs, pollMs, heartbeatMs } = { ...defaults, ...limits }
  const streams = new Set<Stream>()
  const perOrder = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  async function poll(): Promise<void> {
    try {
      const versions = await readVersions(keysOf(streams))
      for (const stream of streams) update(stream, versions.get(stream.key.tradeNo), heartbeatMs)
    } catch (error) {
      onError(error)
    }
    timer = undefined
    schedule()
  }

  function schedule(): void {
    if (timer === undefined && streams.size > 0 && !isClosed) timer = setTimeout(poll, pollMs)
  }

  function hasCapacity({ tradeNo }: OrderKey): boolean {
    return !isClosed && streams.size < max && (perOrder.get(tradeNo) ?? 0) < maxPerOrder
  }

  function add(stream: Stream): void {
    const { tradeNo } = stream.key
    streams.add(stream)
    perOrder.set(tradeNo, (perOrder.get(tradeNo) ?? 0) + 1)
    stream.to.once('close', () => {
      streams.delete(stream)
      const left = (perOrder.get(tradeNo) ?? 1) - 1
      if (left === 0) perOrder.delete(tradeNo)
      else perOrder.set(tradeNo, left)
    })
  }

  return {
    hasCapacity,
    open(key, version) {
      if (!hasCapacity(key)) return undefined
      const now = Date.now()
      const to = new PassThrough()
      const stream: Stream = { key, to, until: now + lifeMs, version, heartbeatAt: now + heartbeatMs }
      add(stream)
      to.write(eventOf(version))
      schedule()
      return to
    },
    close() {
      isClosed = true
      clearTimeout(timer)
      for (const { to } of streams) to.end()
    },
  }
}

function keysOf(streams: ReadonlySet<Stream>): OrderKey[] {
  return [...new Map([...streams].map(({ key }) => [key.tradeNo, key])).values()]
}

function update(stream: Stream, version: string | undefined, heartbeatMs: number): void {
  const now = Date.now()
  if (now >= stream.until || version === undefined) {
    stream.to.end()
  } else if (version !== stream.version) {
    stream.version = version
    stream.to.write(eventOf(version))
  } else if (now >= stream.heartbeatAt) {
    // The heartbeat is a comment in the event stream. Proxies close connections that are silent, and a failed write
    // shows that the payer has left.
    stream.heartbeatAt = now + heartbeatMs
    stream.to.write(':\n\n')
  }
}

/**
 * Writes an event with an id. A browser that reconnects sends the id as Last-Event-ID. The response to such a request
 * makes the page poll instead.
 */
function eventOf(version: string): string {
  return `id: 1\ndata: ${JSON.stringify({ mark: version })}\n\n`
}
