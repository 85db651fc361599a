// Connects an entry of a channels file as a gateway does.
import assert from 'node:assert/strict'
import type { ChannelEntry } from '../sandbox/place.ts'
import { systemClock } from '../src/base/clock.ts'
import type { Channel } from '../src/channels/contract.ts'
import type { Method } from '../src/channels/method.ts'
import type { Connection } from '../src/channels/protocol.ts'
import type { ChannelSettings, ChannelTools } from '../src/channels/settings.ts'
import { parseChannels } from '../src/connections/channel-settings.ts'
import { connectionOf } from '../src/connections/connections.ts'
import { aReference } from './reference.ts'

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

/** The entry's channel of this method. */
export function connectChannel(entry: ChannelEntry, method: Method, tools?: ChannelTools): Channel {
  const channel = connectEntry(entry, tools).channels.find((one) => one.method === method)
  assert.ok(channel, `the entry serves ${method}`)
  return channel
}
