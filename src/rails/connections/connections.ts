// Makes the connections to counterparties, at the start and whenever the channels file changes. If an entry has not
// changed, its connection stays, with its open sockets and access tokens.
//
// Invariant: if the file has an error, no connection changes.

import type { Clock } from '../../platform/base/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import { assert } from '../../platform/errors/catalogue.ts'
import type { Db } from '../../platform/postgres/db.ts'
import type { Channel } from '../contract/channel.ts'
import type { Checked, Connection } from '../contract/protocol.ts'
import type { ChannelSettings, ChannelTools } from '../contract/settings.ts'
import { offer } from '../methods/crypto.ts'
import { protocols } from '../protocols/protocols.ts'
import { applyRailScope, applyScope } from '../routing/apply-scope.ts'
import { type ChangingRails, registerPayoutRails } from '../routing/payout-routing.ts'
import { type ChangingChannels, registerChannels } from '../routing/routing.ts'
import { numberedBy } from '../toolkit/records/number-owners.ts'
import { openStore } from '../toolkit/records/store.ts'
import type { NamedWatcher } from '../toolkit/records/watch-worker.ts'
import { certificateWarning, weakSecretWarning } from '../toolkit/settings/setting-warnings.ts'

export type Connections = {
  readonly channels: ChangingChannels
  readonly rails: ChangingRails
  watchers(): readonly NamedWatcher[]
  entries(): readonly ChannelSettings[]
  /** Checks the connection of a channel. Undefined if there is no such channel. */
  check(name: string, signal: AbortSignal): Promise<Checked> | undefined
  named(name: string): Connection | undefined
  /**
   * Replaces the entries, and returns the names of the changed ones. If an entry is wrong, throws a SettingError and
   * changes nothing.
   */
  replace(entries: readonly ChannelSettings[]): readonly string[]
}

type ConnectionsOptions = {
  readonly tools: ChannelTools
  /** Channels without an entry. Only programs that make their own channels have them. */
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
    // Coins are offered to merchants here and not in `connectionOf`, because commands and checks also connect entries
    // that are not in use.
    for (const { method, traits } of channels.all) if (method === 'crypto') offer(traits.serves ?? {})
    rails.replace(connections.flatMap((one) => one.rail ?? []))
    return changed
  }

  replace(entries)
  return {
    channels,
    rails,
    watchers: () =>
      [...open].flatMap(([channel, { connection }]) =>
        connection.watcher ? [{ channel, watcher: connection.watcher }] : [],
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

/** The dependencies of connections that open no payments. Commands and checks of settings make such connections. */
type InertDeps = Pick<ChannelTools, 'reference' | 'alarm'> & {
  readonly config: Pick<Config, 'mode' | 'channelTimeoutMs' | 'baseUrl'>
  readonly db: Db
  readonly clock: Clock
}

export function inertTools({ config, db, clock, reference, alarm }: InertDeps): ChannelTools {
  return {
    isLive: config.mode === 'live',
    clock,
    timeoutMs: config.channelTimeoutMs,
    useToken: async () => false,
    isPaid: async () => false,
    reference,
    rateOf: () => undefined,
    log: { warn() {} },
    alarm,
    storeOf: (channel, numbered) => openStore({ db, clock }, channel, numbered),
    callbackUrlOf: (channel) => `${config.baseUrl}/callbacks/${channel}`,
  }
}
