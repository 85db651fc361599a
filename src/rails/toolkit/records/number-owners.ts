// Addresses and CLABEs are made of a setting of the entry and of an order's number within the channel. Another channel with the
// same setting would give them to other orders again, because its numbers begin anew.
//
// Invariant: only one channel gives out numbers of such a setting. Its name is recorded with the first of them.
import { createHash } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import { SettingError } from '../errors/catalogue.ts'
import type { Db, Queryable, Tx } from '../postgres/db.ts'
import { openAddressBook } from './crypto/address.ts'
import type { ChannelSettings } from './settings.ts'
import type { Numbered } from './store.ts'
import {
  addRecord,
  hasChannelTables,
  selectNumberedChannels,
  selectOuterNumbers,
  selectRecord,
  selectRecordsOf,
  selectReference,
} from './store-sql.ts'
import { clabeOf, isClabePrefix } from './stp/order-clabe.ts'

/** What an order with this number gets. */
type Derive = (number: number) => string | undefined

/** Throws if the value is none that its protocol would take. */
const numberedSettings: Readonly<Record<string, (value: string) => Derive>> = {
  xpub: (value) => openAddressBook(value).at,
  clabePrefix(value) {
    if (!isClabePrefix(value)) throw new Error('the prefix has other characters, or another length')
    return (number) => clabeOf(value, number)
  },
}
/** No entry can have this name. */
const ALL_CHANNELS = '*'
const OWNER = 'number-owner'
/** How many of a channel's first and last orders are looked at. Some have been given nothing, because they were refused. */
const LOOKED_AT = 20

export type OwnerDeps = {
  readonly db: Queryable
  /** The address or CLABE that the order's attempt with this reference has been given. */
  accountOf(reference: string): Promise<string | undefined>
}

/** Undefined for entries that give out nothing of the kind. */
export function numberedBy(entry: ChannelSettings): Numbered | undefined {
  const setting = Object.keys(numberedSettings).find((one) => entry[one] !== undefined)
  if (setting === undefined || entry.methods.length === 0) return undefined
  const key = createHash('sha256').update(`${setting} ${entry[setting]}`).digest('hex')
  return { setting, key }
}

/** Throws if they are another channel's. */
export async function ownNumbers(tx: Tx, channel: string, numbered: Numbered, at: Date): Promise<void> {
  const record = { kind: OWNER, key: numbered.key, reference: channel, body: { channel } }
  await addRecord(tx, ALL_CHANNELS, record, at)
  const owner = await recordedOwner(tx, numbered)
  if (owner !== channel) throw new SettingError(belongsTo(owner, channel, numbered))
}

/** Throws a SettingError if an entry would give out what another channel gave out, such as one that was renamed. */
export async function checkNumberOwners(
  { clock, ...deps }: OwnerDeps & { readonly db: Db; readonly clock: Clock },
  entries: readonly ChannelSettings[],
): Promise<void> {
  const { db } = deps
  for (const entry of entries) {
    const numbered = numberedBy(entry)
    if (numbered === undefined) continue
    const complaint = await complainOfOwner(deps, entry)
    if (complaint !== undefined) throw new SettingError(complaint)
    // The connection complains of such a value, and it would stay recorded.
    if (deriveBy(numbered.setting, entry[numbered.setting]) === undefined) continue
    // Numbers of an earlier version have no owner yet. Any other setting is owned from its first number on, not from a look at a file.
    const owned = await selectRecordsOf(db, ALL_CHANNELS, OWNER, entry.name)
    if (owned.length === 0 && (await selectReference(db, entry.name, 0)) !== undefined)
      await db.transaction((tx) => ownNumbers(tx, entry.name, numbered, clock.now()))
  }
}

/** What is wrong and what to do, if the entry would give out what another channel gave out. */
export async function complainOfOwner(deps: OwnerDeps, entry: ChannelSettings): Promise<string | undefined> {
  const numbered = numberedBy(entry)
  // Before the migration that adds the tables, nobody has given out anything.
  if (numbered === undefined || !(await hasChannelTables(deps.db))) return undefined
  const owner = (await recordedOwner(deps.db, numbered)) ?? (await findGiver(deps, entry, numbered))
  return owner === undefined || owner === entry.name ? undefined : belongsTo(owner, entry.name, numbered)
}

/**
 * An earlier version recorded no owner: its orders show who gave out what the setting leads to. The entry itself comes first:
 * if two did so already, the one that is in use goes on.
 */
async function findGiver(
  { db, accountOf }: OwnerDeps,
  entry: ChannelSettings,
  { setting }: Numbered,
): Promise<string | undefined> {
  const derive = deriveBy(setting, entry[setting])
  if (derive === undefined) return undefined
  const others = (await selectNumberedChannels(db)).filter((one) => one !== entry.name)
  for (const channel of [entry.name, ...others])
    for (const { number, reference } of await selectOuterNumbers(db, channel, LOOKED_AT)) {
      const account = derive(Number(number))
      if (account !== undefined && (await accountOf(reference)) === account) return channel
    }
  return undefined
}

/** Undefined for a wrong value, of which the protocol's own check complains. */
function deriveBy(setting: string, value: unknown): Derive | undefined {
  try {
    return numberedSettings[setting]?.(String(value))
  } catch {
    return undefined
  }
}

async function recordedOwner(db: Queryable, { key }: Numbered): Promise<string | undefined> {
  const owner = (await selectRecord(db, ALL_CHANNELS, { kind: OWNER, key }))?.body.channel
  return owner === undefined ? undefined : String(owner)
}

function belongsTo(owner: string | undefined, channel: string, { setting }: Numbered): string {
  return `channel ${channel}: orders of the channel ${owner} have been given what its "${setting}" leads to: name the entry ${owner} again, or set another "${setting}"`
}
