// Counts a worker's running calls per channel, so that a slow channel delays only its own calls: a channel at its limit is
// left out of claims until one of its calls ends.

export type CallSlots = {
  /** Counts a call until it ends. The call must never reject. */
  follow(channel: string, call: Promise<void>): void
  /** Channels at their limit. */
  busy(): string[]
  /** Resolves when all running calls have ended. */
  idle(): Promise<void>
}

export type CallSlotOptions = {
  /** A channel with this many running calls gets no new ones. One claim may exceed it by its own size. */
  readonly mostPerChannel: number
  /** Called when a busy channel drops below its limit. */
  readonly onFree?: () => void
}

export function createCallSlots({ mostPerChannel, onFree = () => {} }: CallSlotOptions): CallSlots {
  const underWay = new Map<string, Set<Promise<void>>>()

  function ended(channel: string, calls: Set<Promise<void>>, call: Promise<void>): void {
    const wasBusy = calls.size >= mostPerChannel
    calls.delete(call)
    if (calls.size === 0) underWay.delete(channel)
    if (wasBusy && calls.size < mostPerChannel) onFree()
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
