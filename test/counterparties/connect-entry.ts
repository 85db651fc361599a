// Connects an entry of a channels file as a gateway does.
import assert from 'node:assert/strict'
import type { ChannelEntry } from '../../sandbox/place.ts'
import { systemClock } from '../../src/platform/base/clock.ts'
import { parseChannels } from '../../src/rails/connections/channel-settings.ts'
import { connectionOf } from '../../src/rails/connections/connections.ts'
import type { Channel } from '../../src/rails/contract/channel.ts'
import type { Connection } from '../../src/rails/contract/protocol.ts'
import type { ChannelSettings, ChannelTools } from '../../src/rails/contract/settings.ts'
import type { Method } from '../../src/rails/methods/methods.ts'
import { aReference } from '../builders/reference.ts'

export function toolsWith(changes: Partial<ChannelTools> = {}): ChannelTools {
  return {
    clock: systemClock,
    timeoutMs: 10_000,
    useToken: async () => true,
    isPaid: async () => false,
    reference: aReference,
    rateOf: () => undefined,
    log: { warn() {} },
    alarm() {},
    storeOf: (channel) => assert.fail(`channel ${channel} needs a database`),
    ...changes,
  }
}

export function settingsOf(entry: ChannelEntry): ChannelSettings {
  const [settings] = parseChannels([entry], 'a test')
  assert.ok(settings)
  return settings
}

export function connectEntry(entry: ChannelEntry, tools: ChannelTools = toolsWith()): Connection {
  return connectionOf(settingsOf(entry), tools)
}

/** Connects the entry's channel of this method. */
export function connectChannel(entry: ChannelEntry, method: Method, tools?: ChannelTools): Channel {
  const channel = connectEntry(entry, tools).channels.find((one) => one.method === method)
  assert.ok(channel, `the entry serves ${method}`)
  return channel
}
