// Live status: pages that wait are told when they are old. However many are open, the database is looked at once a second for
// all of them. Streams are bounded in number, for one order and for all, and in time; a page that gets none polls instead.

import { PassThrough, type Readable } from 'node:stream'
import type { OrderKey } from '../orders/keys.ts'

export type StatusStreams = {
  /** To be asked before anything is read for a stream that would not be opened. */
  hasRoom(key: OrderKey): boolean
  /** Server-sent events that tell the order's mark now and whenever it changes; undefined when there are too many. */
  open(key: OrderKey, mark: string): Readable | undefined
  /** Ends them all: a stop waits for nobody who only listens. */
  close(): void
}

export type StreamDeps = {
  /** The marks of now, by trade number; an order that is not found is left out. */
  look(keys: readonly OrderKey[]): Promise<ReadonlyMap<string, string>>
  readonly onFault: (error: unknown) => void
  readonly bounds?: Partial<typeof usual>
}

const usual = { most: 2_000, mostOfOrder: 4, lifeMs: 10 * 60_000, lookMs: 1_000, beatMs: 20_000 }

type Stream = {
  readonly key: OrderKey
  readonly to: PassThrough
  readonly until: number
  mark: string
  beatAt: number
}

export function openStatusStreams({ look, onFault, bounds }: StreamDeps): StatusStreams {
  const { most, mostOfOrder, lifeMs, lookMs, beatMs } = { ...usual, ...bounds }
  const streams = new Set<Stream>()
  const ofOrder = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  async function turn(): Promise<void> {
    try {
      const marks = await look(keysOf(streams))
      for (const stream of streams) tell(stream, marks.get(stream.key.tradeNo), beatMs)
    } catch (error) {
      onFault(error)
    }
    timer = undefined
    schedule()
  }

  function schedule(): void {
    if (timer === undefined && streams.size > 0 && !isClosed) timer = setTimeout(turn, lookMs)
  }

  function hasRoom({ tradeNo }: OrderKey): boolean {
    return !isClosed && streams.size < most && (ofOrder.get(tradeNo) ?? 0) < mostOfOrder
  }

  function add(stream: Stream): void {
    const { tradeNo } = stream.key
    streams.add(stream)
    ofOrder.set(tradeNo, (ofOrder.get(tradeNo) ?? 0) + 1)
    stream.to.once('close', () => {
      streams.delete(stream)
      const left = (ofOrder.get(tradeNo) ?? 1) - 1
      if (left === 0) ofOrder.delete(tradeNo)
      else ofOrder.set(tradeNo, left)
    })
  }

  return {
    hasRoom,
    open(key, mark) {
      if (!hasRoom(key)) return undefined
      const now = Date.now()
      const to = new PassThrough()
      const stream: Stream = { key, to, until: now + lifeMs, mark, beatAt: now + beatMs }
      add(stream)
      to.write(eventOf(mark))
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

/** Several pages of one order share one look. */
function keysOf(streams: ReadonlySet<Stream>): OrderKey[] {
  return [...new Map([...streams].map(({ key }) => [key.tradeNo, key])).values()]
}

function tell(stream: Stream, mark: string | undefined, beatMs: number): void {
  const now = Date.now()
  if (now >= stream.until || mark === undefined) {
    stream.to.end()
  } else if (mark !== stream.mark) {
    stream.mark = mark
    stream.to.write(eventOf(mark))
  } else if (now >= stream.beatAt) {
    // A comment: proxies close what is silent, and a payer who is gone is noticed.
    stream.beatAt = now + beatMs
    stream.to.write(':\n\n')
  }
}

/** The id makes a browser that comes back say so: it is then sent to poll. */
function eventOf(mark: string): string {
  return `id: 1\ndata: ${JSON.stringify({ mark })}\n\n`
}
