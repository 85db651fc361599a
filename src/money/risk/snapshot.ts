// Holds the lists and rules in memory, by scope. Entries and rules of the platform apply to every payment. Entries and
// rules of a merchant apply only to that merchant's payments.
import type { BlockList } from 'node:net'
import { addressList, isListed } from '../../platform/http/addresses.ts'
import { CARD_NETWORK, type Entry, isCurrent, type ListName } from './entry.ts'
import type { Facts } from './facts.ts'
import { type CountedBy, MOST_DAYS, type Rule } from './rule.ts'

export type Snapshot = {
  /**
   * Returns the scopes of a merchant, the platform's first. The list is empty if no entry or rule applies to the
   * merchant.
   */
  scopesOf(merNo: number): readonly Scope[]
}

export type Scope = {
  readonly merNo: number
  readonly allow: EntryIndex
  readonly block: EntryIndex
  /** The rules that watch or are on. */
  readonly rules: readonly Rule[]
  /**
   * The keys by which the rules of the scope count payments. Uses of a key are stored only while a rule that counts by
   * this key is watching or on. For up to 30 days after the first such rule starts, used cards therefore look new to
   * `newCardDays`, and counts are too low.
   */
  readonly counted: readonly CountedBy[]
}

const PLATFORM = 0
const NONE: readonly Scope[] = []

export function createSnapshot(entries: readonly Entry[], rules: readonly Rule[]): Snapshot {
  const active = rules.filter(({ state }) => state === 'watching' || state === 'on')
  const merNos = new Set([...entries, ...active].map(({ merNo }) => merNo))
  const scopes = new Map(
    [...merNos].map((merNo) => {
      const own = entries.filter((one) => one.merNo === merNo)
      return [
        merNo,
        scopeOf(
          merNo,
          own,
          active.filter((one) => one.merNo === merNo),
        ),
      ] as const
    }),
  )
  const platform = scopes.get(PLATFORM)
  const alone = platform === undefined ? NONE : [platform]
  const lists = new Map(
    [...scopes]
      .filter(([merNo]) => merNo !== PLATFORM)
      .map(([merNo, scope]) => [merNo, [...alone, scope]] as const),
  )
  return { scopesOf: (merNo) => lists.get(merNo) ?? alone }
}

function scopeOf(merNo: number, entries: readonly Entry[], rules: readonly Rule[]): Scope {
  const index = (list: ListName) => indexEntries(entries.filter((entry) => entry.list === list))
  const counted = rules.flatMap(({ conditions: { velocity, newCardDays } }): CountedBy[] => [
    ...(velocity === undefined ? [] : [velocity.per]),
    ...(newCardDays === undefined ? [] : ['card' as const]),
  ])
  return { merNo, allow: index('allow'), block: index('block'), rules, counted: [...new Set(counted)] }
}

type EntryIndex = {
  readonly byKey: ReadonlyMap<string, Entry>
  readonly networks: readonly { readonly list: BlockList; readonly entry: Entry }[]
}

function indexEntries(entries: readonly Entry[]): EntryIndex {
  const addresses = entries.filter(({ kind }) => kind === 'address')
  return {
    byKey: new Map(entries.map((entry) => [`${entry.kind}:${entry.value}`, entry])),
    networks: addresses.map((entry) => ({ list: addressList([entry.value]), entry })),
  }
}

/** Returns the first entry that matches the payment and has not expired. */
export function findEntry({ byKey, networks }: EntryIndex, facts: Facts, now: Date): Entry | undefined {
  if (byKey.size === 0) return undefined
  const named = keysOf(facts).map((key) => byKey.get(key))
  const { address } = facts
  const found = named.find((entry) => entry !== undefined && isCurrent(entry, now))
  if (found !== undefined || address === undefined) return found
  return networks.find(({ list, entry }) => isCurrent(entry, now) && isListed(list, address))?.entry
}

/** Returns the block entry of a card that the card network forbids to try again, if there is one. */
export function findForbidden({ byKey }: EntryIndex, { card }: Facts, now: Date): Entry | undefined {
  const entry = card === undefined ? undefined : byKey.get(`card:${card}`)
  return entry?.createdBy === CARD_NETWORK && isCurrent(entry, now) ? entry : undefined
}

function keysOf({ card, bin, country, emails, device }: Facts): string[] {
  const named = [
    ['card', card],
    ['bin', bin],
    ['country', country],
    ...emails.flatMap((email) => [
      ['email', email],
      ['email', email.slice(email.indexOf('@'))],
    ]),
    ['device', device],
  ]
  return named.filter(([, value]) => value !== undefined).map(([kind, value]) => `${kind}:${value}`)
}

const DAY_MS = 86_400_000
/** The time for which uses are kept. Older uses are never counted. */
export const KEPT_MS = (MOST_DAYS + 1) * DAY_MS
