// A channel of the settings by its name, for commands that call its counterparty.
import { complainOfOwner } from '../channels/number-owners.ts'
import type { Connection } from '../channels/protocol.ts'
import { ignoredSettings } from '../channels/setting-names.ts'
import type { ChannelSettings } from '../channels/settings.ts'
import { connectionOf } from '../connections/connections.ts'
import { lacksSandbox, readEntries } from '../connections/counterparties.ts'
import { inertTools } from '../connections/inert-tools.ts'
import { OperatorRefusal } from '../errors/catalogue.ts'
import { findAccount } from '../order-queries/find-account.ts'
import { readReference } from '../reference/reference.ts'
import type { Tools } from './command.ts'
import { plain } from './print.ts'

export async function connectionNamed(tools: Tools, name: string): Promise<Connection> {
  const entry = await entryOf(tools, name)
  const db = await tools.database()
  const { clock, config, say } = tools
  const reference = await readReference(db)
  const alarm = (reference: string, what: string) => say(`${reference}: ${what}`)
  const connection = connectionOf(entry, inertTools({ config: config(), db, clock, reference, alarm }))
  const owners = { db, accountOf: (reference: string) => findAccount(db, reference) }
  const message = ignoredSettings([entry])[0] ?? (await complainOfOwner(owners, entry))
  return message === undefined
    ? connection
    : { ...connection, check: async () => ({ isRight: false, message }) }
}

const UNKNOWN_HERE =
  "The sandbox's own channels are not known here: only the gateway has them, unless TOLLGATE_SANDBOX_URL and TOLLGATE_SANDBOX_SECRET are set as for the gateway."

/** Says that there are more channels than the command can know, if that may be. */
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
