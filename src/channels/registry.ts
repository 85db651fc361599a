import type { Channel } from './contract.ts'
import type { Method } from './method.ts'

export type Channels = {
  /** The channels that serve a method, in the order that they were set up; none when it cannot be paid. */
  forMethod(method: Method): readonly Channel[]
  readonly all: readonly Channel[]
  /** The channel an attempt was made at; it must still be there to be asked. */
  named(name: string): Channel | undefined
  /** No call to any channel takes longer. */
  readonly longestTimeoutMs: number
}

export function registerChannels(channels: readonly Channel[]): Channels {
  const byName = new Map(channels.map((channel) => [channel.name, channel]))
  const byMethod = Map.groupBy(channels, (channel) => channel.method)
  return {
    all: channels,
    forMethod: (method) => byMethod.get(method) ?? [],
    named: (name) => byName.get(name),
    longestTimeoutMs: Math.max(0, ...channels.map((channel) => channel.traits.timeoutMs)),
  }
}
