// Opens the channels of the settings for commands that check what a channel can do, or that call its counterparty.

import { findAccount } from '../../../money/order-queries/find-attempts.ts'
import type { RailDeps } from '../../../money/payouts/prepare-payout.ts'
import { OperatorRefusal } from '../../../platform/errors/catalogue.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import { readReference } from '../../../platform/reference/reference.ts'
import { lacksSandbox, readEntries } from '../../../rails/connections/channel-settings.ts'
import { connectionOf, inertTools } from '../../../rails/connections/connections.ts'
import type { Connection } from '../../../rails/contract/protocol.ts'
import type { ChannelSettings, ChannelTools } from '../../../rails/contract/settings.ts'
import { listPauses } from '../../../rails/routing/pauses.ts'
import { createPayoutRouting, registerPayoutRails } from '../../../rails/routing/payout-routing.ts'
import { type Channels, registerChannels } from '../../../rails/routing/routing.ts'
import { complainOfOwner } from '../../../rails/toolkit/records/number-owners.ts'
import { ignoredSettings } from '../../../rails/toolkit/settings/setting-warnings.ts'
import type { Tools } from '../command.ts'
import { plain } from './print.ts'

export async function connectionNamed(tools: Tools, name: string): Promise<Connection> {
  const entry = await entryOf(tools, name)
  const db = await tools.database()
  const connection = connectionOf(entry, await toolsFor(tools, db))
  const owners = { db, accountOf: (reference: string) => findAccount(db, reference) }
  const message = ignoredSettings([entry])[0] ?? (await complainOfOwner(owners, entry))
  return message === undefined
    ? connection
    : { ...connection, check: async () => ({ isRight: false, message }) }
}

async function toolsFor({ clock, config, say }: Tools, db: Db): Promise<ChannelTools> {
  const reference = await readReference(db)
  const alarm = (reference: string, what: string) => say(`${reference}: ${what}`)
  return inertTools({ config: config(), db, clock, reference, alarm })
}

type Known = { readonly channels: Channels; readonly routing: RailDeps }

/**
 * Returns the channels of the settings. If the gateway may have further channels, prints a note and returns undefined.
 */
export async function knownChannels(tools: Tools): Promise<Known | undefined> {
  sayUnknown(tools)
  if (lacksSandbox(tools.config())) return undefined
  const db = await tools.database()
  const forChannels = await toolsFor(tools, db)
  const entries = await readEntries(tools.config())
  const connections = entries.map((entry) => connectionOf(entry, forChannels))
  const paused = new Set((await listPauses(db)).map(({ channel }) => channel))
  const rails = registerPayoutRails(connections.flatMap(({ rail }) => rail ?? []))
  const isPaused = (name: string) => paused.has(name)
  return {
    channels: registerChannels(connections.flatMap(({ channels }) => channels)),
    routing: { rails, payoutRouting: createPayoutRouting({ rails, clock: tools.clock, isPaused }) },
  }
}

const UNKNOWN_HERE =
  "The sandbox's own channels are not known here: only the gateway has them, unless TOLLGATE_SANDBOX_URL and TOLLGATE_SANDBOX_SECRET are set as for the gateway."

export function sayUnknown(tools: Tools): void {
  if (lacksSandbox(tools.config())) tools.say(UNKNOWN_HERE)
}

export async function entryOf(tools: Tools, name: string): Promise<ChannelSettings> {
  const entries = await readEntries(tools.config())
  const entry = entries.find((one) => one.name === name)
  if (entry !== undefined) return entry
  sayUnknown(tools)
  const known = entries.map((one) => one.name).join(', ') || 'none'
  throw new OperatorRefusal(`there is no channel ${plain(name)} in the settings; channels: ${known}`)
}
