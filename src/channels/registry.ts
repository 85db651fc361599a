import type { Channel } from './contract.ts'
import type { Method } from './method.ts'

export type Channels = {
  /** The channels of a method, in the order of the settings. */
  forMethod(method: Method): readonly Channel[]
  readonly all: readonly Channel[]
  /** The channel of an attempt; undefined when it is no longer configured. */
  named(name: string): Channel | undefined
  /** The longest timeout of all channels. */
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
