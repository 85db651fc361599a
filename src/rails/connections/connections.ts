// The connections to counterparties: made from the settings at the start, and again when the channels file changes. An entry
// that did not change keeps its connection, and so its open sockets and access tokens.
//
// Invariant: a wrong file never replaces connections that work.

import { applyRailScope, applyScope } from '../channels/apply-scope.ts'
import { certificateWarning } from '../channels/client-certificate.ts'
import type { Channel } from '../channels/contract.ts'
import { offer } from '../channels/crypto/coin.ts'
import { numberedBy } from '../channels/number-owners.ts'
import { type ChangingRails, registerPayoutRails } from '../channels/payout/registry.ts'
import type { Checked, Connection } from '../channels/protocol.ts'
import { protocols } from '../channels/protocols.ts'
import { type ChangingChannels, registerChannels } from '../channels/routing.ts'
import type { ChannelSettings, ChannelTools } from '../channels/settings.ts'
import type { NamedWatcher } from '../channels/watch-worker.ts'
import { weakSecretWarning } from '../channels/weak-secret.ts'
import { assert } from '../errors/catalogue.ts'

export type Connections = {
  readonly channels: ChangingChannels
  readonly rails: ChangingRails
  watchers(): readonly NamedWatcher[]
  /** The entries as they are in use. */
  entries(): readonly ChannelSettings[]
  /** Undefined if there is no such channel. */
  check(name: string, signal: AbortSignal): Promise<Checked> | undefined
  /** Undefined if there is no such channel. */
  named(name: string): Connection | undefined
  /** Throws a SettingError, and changes nothing, if an entry is wrong. Returns the names of the entries that changed. */
  replace(entries: readonly ChannelSettings[]): readonly string[]
}

export type ConnectionsOptions = {
  readonly tools: ChannelTools
  /** Channels that no entry describes, for programs that make their own. */
  readonly own?: readonly Channel[]
}

type Open = { readonly settings: ChannelSettings; readonly text: string; readonly connection: Connection }

export function openConnections(
  entries: readonly ChannelSettings[],
  { tools, own = [] }: ConnectionsOptions,
): Connections {
  let open: ReadonlyMap<string, Open> = new Map()
  const channels = registerChannels(own)
  const rails = registerPayoutRails([])

  function connect(settings: ChannelSettings): Open {
    const text = JSON.stringify(settings)
    const known = open.get(settings.name)
    return known?.text === text ? known : { settings, text, connection: connectionOf(settings, tools) }
  }

  function replace(entries: readonly ChannelSettings[]): readonly string[] {
    const next = new Map(entries.map((settings) => [settings.name, connect(settings)]))
    const names = new Set([...open.keys(), ...next.keys()])
    const changed = [...names].filter((name) => next.get(name) !== open.get(name))
    open = next
    const connections = [...next.values()].map(({ connection }) => connection)
    channels.replace([...own, ...connections.flatMap((one) => one.channels)])
    // Here and not when an entry is connected: commands and checks connect entries that are not in use.
    for (const { method, traits } of channels.all) if (method === 'crypto') offer(traits.serves ?? {})
    rails.replace(connections.flatMap((one) => one.rail ?? []))
    return changed
  }

  replace(entries)
  return {
    channels,
    rails,
    watchers: () =>
      [...open].flatMap(
        ([
          channel,
          {
            connection: { watcher },
          },
        ]) => (watcher ? [{ channel, watcher }] : []),
      ),
    entries: () => [...open.values()].map(({ settings }) => settings),
    check: (name, signal) => open.get(name)?.connection.check(signal),
    named: (name) => open.get(name)?.connection,
    replace,
  }
}

export function connectionOf(settings: ChannelSettings, tools: ChannelTools): Connection {
  const protocol = protocols.get(settings.protocol)
  assert(protocol !== undefined, 'the protocol was checked with the settings')
  const numbered = numberedBy(settings)
  const storeOf = (name: string) => tools.storeOf(name, numbered)
  const connection = protocol(settings, { ...tools, storeOf })
  const { channels, rail } = connection
  return {
    ...connection,
    async check(signal) {
      const { isRight, message } = await connection.check(signal)
      const warnings = [
        certificateWarning(settings, tools.clock.now()),
        ...(tools.isLive ? [weakSecretWarning(settings)] : []),
      ]
      return { isRight, message: [message, ...warnings.filter((one) => one !== undefined)].join(' ') }
    },
    channels: channels.map((channel) => applyScope(channel, settings)),
    ...(rail && { rail: applyRailScope(rail, settings) }),
  }
}
