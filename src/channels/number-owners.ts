// Addresses and CLABEs are made of a setting of the entry and of an order's number within the channel. Another channel with the
// same setting would give them to other orders again, because its numbers begin anew.
//
// Invariant: only one channel gives out numbers of such a setting. Its name is recorded with the first of them.
import { createHash } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import { SettingError } from '../errors/catalogue.ts'
import type { Db, Queryable, Tx } from '../postgres/db.ts'
import type { ChannelSettings } from './settings.ts'
import type { Numbered } from './store.ts'
import { addRecord, selectRecord, selectRecordsOf, selectReference } from './store-sql.ts'

const numberedSettings = ['xpub', 'clabePrefix']
/** No entry can have this name. */
const ALL_CHANNELS = '*'
const OWNER = 'number-owner'

/** Undefined for entries that give out nothing of the kind. */
export function numberedBy(entry: ChannelSettings): Numbered | undefined {
  const setting = numberedSettings.find((one) => entry[one] !== undefined)
  if (setting === undefined || entry.methods.length === 0) return undefined
  const key = createHash('sha256').update(`${setting} ${entry[setting]}`).digest('hex')
  return { setting, key }
}

/** Throws if they are another channel's. */
export async function ownNumbers(tx: Tx, channel: string, numbered: Numbered, at: Date): Promise<void> {
  const record = { kind: OWNER, key: numbered.key, reference: channel, body: { channel } }
  await addRecord(tx, ALL_CHANNELS, record, at)
  requireOwner(channel, numbered, await ownerOf(tx, numbered))
}

/** Throws a SettingError if an entry would give out what another channel gave out, such as one that was renamed. */
export async function checkNumberOwners(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  entries: readonly ChannelSettings[],
): Promise<void> {
  for (const entry of entries) {
    const numbered = numberedBy(entry)
    if (numbered === undefined) continue
    requireOwner(entry.name, numbered, (await ownerOf(db, numbered)) ?? entry.name)
    // Numbers of an earlier version have no owner yet. Any other setting is owned from its first number on, not from a look at a file.
    const owned = await selectRecordsOf(db, ALL_CHANNELS, OWNER, entry.name)
    if (owned.length === 0 && (await selectReference(db, entry.name, 0)) !== undefined)
      await db.transaction((tx) => ownNumbers(tx, entry.name, numbered, clock.now()))
  }
}

async function ownerOf(db: Queryable, { key }: Numbered): Promise<unknown> {
  return (await selectRecord(db, ALL_CHANNELS, { kind: OWNER, key }))?.body.channel
}

function requireOwner(channel: string, { setting }: Numbered, owner: unknown): void {
  if (owner === channel) return
  throw new SettingError(
    `channel ${channel}: orders of the channel ${owner} have been given what its "${setting}" leads to: name the entry ${owner} again, or set another "${setting}"`,
  )
}
