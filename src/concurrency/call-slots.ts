// Counts the calls under way at each channel. A channel at its bound is left out of the next claims until one of its calls
// ends, so a slow channel delays only its own calls.

export type CallSlots = {
  /** Counts a call until it ends. The call must not reject. */
  follow(channel: string, call: Promise<void>): void
  /** Channels at their bound. A claim leaves them out, and `onFree` follows when one of them has a free slot again. */
  busy(): string[]
  /** Resolves once no call is under way. */
  idle(): Promise<void>
}

export type CallSlotOptions = {
  /** A claim is made below this bound, so it may exceed it by the rows of one claim. */
  readonly maxPerChannel: number
  readonly onFree: () => void
}

export function createCallSlots({ maxPerChannel, onFree }: CallSlotOptions): CallSlots {
  const underWay = new Map<string, Set<Promise<void>>>()
  /** Channels that the last claim left out. */
  let leftOut = new Set<string>()

  function ended(channel: string, calls: Set<Promise<void>>, call: Promise<void>): void {
    calls.delete(call)
    if (calls.size === 0) underWay.delete(channel)
    if (calls.size < maxPerChannel && leftOut.delete(channel)) onFree()
  }

  return {
    follow(channel, call) {
      const calls = underWay.get(channel) ?? new Set()
      underWay.set(channel, calls.add(call))
      call.finally(() => ended(channel, calls, call))
    },
    busy() {
      const full = [...underWay].filter(([, calls]) => calls.size >= maxPerChannel)
      leftOut = new Set(full.map(([channel]) => channel))
      return [...leftOut]
    },
    async idle() {
      while (underWay.size > 0) await Promise.all([...underWay.values()].flatMap((calls) => [...calls]))
    },
  }
}
