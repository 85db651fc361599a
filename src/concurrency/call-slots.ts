// How many calls a worker has under way at each channel. A slow channel holds up its own calls only: nobody waits for a
// call, and a channel at its bound is left out of the next claims until one of its calls ends.

export type CallSlots = {
  /** Counts a call, which never rejects, until it ends. */
  follow(channel: string, call: Promise<void>): void
  /** Channels that take no more at the moment. */
  busy(): string[]
  /** Until all that is under way has ended. */
  idle(): Promise<void>
}

export type CallSlotOptions = {
  /** A channel with as many under way gets no more; a claim may take it beyond by what it claims at once. */
  readonly mostPerChannel: number
  /** A channel that was busy has room again. */
  readonly onRoom?: () => void
}

export function createCallSlots({ mostPerChannel, onRoom = () => {} }: CallSlotOptions): CallSlots {
  const underWay = new Map<string, Set<Promise<void>>>()

  function ended(channel: string, calls: Set<Promise<void>>, call: Promise<void>): void {
    const wasBusy = calls.size >= mostPerChannel
    calls.delete(call)
    if (calls.size === 0) underWay.delete(channel)
    if (wasBusy && calls.size < mostPerChannel) onRoom()
  }

  return {
    follow(channel, call) {
      const calls = underWay.get(channel) ?? new Set()
      underWay.set(channel, calls.add(call))
      call.finally(() => ended(channel, calls, call))
    },
    busy() {
      return [...underWay].filter(([, calls]) => calls.size >= mostPerChannel).map(([channel]) => channel)
    },
    async idle() {
      await Promise.all([...underWay.values()].flatMap((calls) => [...calls]))
    },
  }
}
