// An order's address or CLABE is derived from a setting and the order's number within the channel. Every channel counts
// from 0, so two channels with the same setting would give the same addresses to different orders.
//
// Invariant: for each value of such a setting, only one channel, the owner, gives out the accounts. The owner is
// recorded in the transaction that gives out its first number.
import { createHash } from 'node:crypto'
import type { Clock } from '../../../platform/base/clock.ts'
import { SettingError } from '../../../platform/errors/catalogue.ts'
import type { Db, Queryable, Tx } from '../../../platform/postgres/db.ts'
import type { ChannelSettings } from '../../contract/settings.ts'
import type { Numbered } from '../../contract/store.ts'
import { openAddressBook } from '../formats/chain-address.ts'
import { clabeOf, isClabePrefix } from '../formats/clabe.ts'
import {
  addRecord,
  hasChannelTables,
  selectNumberedChannels,
  selectOuterNumbers,
  selectRecord,
  selectRecordsOf,
  selectReference,
} from './store-sql.ts'

/** Derives the address or CLABE of an order; undefined if the number is out of range. */
type Derive = (number: number) => string | undefined

/** The settings from which accounts are derived. Each function throws for a wrong value. */
const numberedSettings: Readonly<Record<string, (value: string) => Derive>> = {
  xpub: (value) => openAddressBook(value).at,
  clabePrefix(value) {
    if (!isClabePrefix(value)) throw new Error('the prefix has other characters, or another length')
    return (number) => clabeOf(value, number)
  },
}
/** The channel name of records about all channels; no entry can have this name. */
const ALL_CHANNELS = '*'
const OWNER = 'number-owner'
/**
 * The number of first orders, and of last orders, that are examined. One order is not enough, because refused orders
 * have no account.
 */
const LOOKED_AT = 20

export type OwnerDeps = {
  readonly db: Queryable
  /** Returns the address or CLABE of the attempt with this reference. */
  accountOf(reference: string): Promise<string | undefined>
}

/** Returns the setting from which accounts are derived. Undefined if the entry lacks it or takes no payments. */
export function numberedBy(entry: ChannelSettings): Numbered | undefined {
  const setting = Object.keys(numberedSettings).find((one) => entry[one] !== undefined)
  if (setting === undefined || entry.methods.length === 0) return undefined
  const key = createHash('sha256').update(`${setting} ${entry[setting]}`).digest('hex')
  return { setting, key }
}

/** Records the channel as the owner of the setting's accounts. Throws if another channel owns them. */
export async function ownNumbers(tx: Tx, channel: string, numbered: Numbered, at: Date): Promise<void> {
  const record = { kind: OWNER, key: numbered.key, reference: channel, body: { channel } }
  await addRecord(tx, ALL_CHANNELS, record, at)
  const owner = await recordedOwner(tx, numbered)
  if (owner !== channel) throw new SettingError(belongsTo(owner, channel, numbered))
}

/**
 * Throws a SettingError if an entry would give out accounts of another channel, for example after a rename. Records the
 * owner of accounts that an earlier version gave out without a record.
 */
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
    // The connection refuses a wrong value, so the value must not be recorded here.
    if (deriveBy(numbered.setting, entry[numbered.setting]) === undefined) continue
    // A channel becomes the owner when it gives out its first number. But an earlier version may have given out numbers
    // without recording an owner, so the owner is recorded here.
    const owned = await selectRecordsOf(db, ALL_CHANNELS, OWNER, entry.name)
    if (owned.length === 0 && (await selectReference(db, entry.name, 0)) !== undefined)
      await db.transaction((tx) => ownNumbers(tx, entry.name, numbered, clock.now()))
  }
}

/** Returns a sentence with advice if the entry would give out accounts of another channel. */
export async function complainOfOwner(deps: OwnerDeps, entry: ChannelSettings): Promise<string | undefined> {
  const numbered = numberedBy(entry)
  // Before the migration that adds the tables, no channel has given out an account.
  if (numbered === undefined || !(await hasChannelTables(deps.db))) return undefined
  const owner = (await recordedOwner(deps.db, numbered)) ?? (await findGiver(deps, entry, numbered))
  return owner === undefined || owner === entry.name ? undefined : belongsTo(owner, entry.name, numbered)
}

/**
 * Finds the channel that gave out accounts of this setting under an earlier version, which recorded no owner. Those
 * accounts are stored with the channel's orders. The entry's own channel is examined first, so that the entry stays in
 * use if two channels gave out such accounts.
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

/** Returns the function that derives accounts from a setting; undefined for a value that the protocol refuses. */
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
