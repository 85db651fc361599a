// What is written when transfers of a booking are counted, and those that are not are held.

import type { RecordBody, RecordChange } from '../store.ts'
import { listedAs, type Source, type Twin } from './alike.ts'
import type { Entry } from './camt.ts'
import {
  type Credit,
  heldBody,
  heldKey,
  linesIn,
  listIn,
  type ReadLine,
  toListed,
  toRecord,
} from './credit-records.ts'
import { moneyBody, shown } from './transfers.ts'

/** What an entry changes. */
export type Changes = {
  readonly records: readonly RecordChange[]
  /** The payments, refunds and payouts that it is about. */
  readonly ask: readonly string[]
  /** One sentence each, for the operator. */
  readonly alarms: readonly string[]
  /** Likewise, about what the statement's table must not book. */
  readonly doubts?: readonly string[]
  /** As it is counted, also if an earlier file brought it. */
  readonly lines: readonly ReadLine[]
}

export const NOTHING: Changes = { records: [], ask: [], alarms: [], lines: [] }

/** A booking of a file. */
export type Booking = { readonly source: Source; readonly entry: Entry; readonly key: string }

/** A transfer with the key of its record. */
export type Keyed = Credit & { readonly key: string; readonly twin?: Twin | undefined }

/** How the transfers of a booking are counted. */
export type Plan = {
  readonly counted: readonly Keyed[]
  /** May be counted already. */
  readonly held: readonly Keyed[]
  /** Of transfers to us. */
  readonly size: number
  /** The booking's record, and what it holds that is in neither list. */
  readonly known?: { readonly body: RecordBody; readonly stillHeld: readonly RecordBody[] }
}

export function withKeys(key: string, parts: readonly Credit[]): Keyed[] {
  const size = sizeOf(parts)
  let count = 0
  return parts.map((part) => {
    if (part.returned !== undefined) return { ...part, key: `${key} returned ${part.returned}` }
    count += 1
    return { ...part, key: size > 1 ? `${key} ${count}` : key }
  })
}

export function sizeOf(parts: readonly Credit[]): number {
  return parts.filter(({ returned }) => returned === undefined).length
}

export function addCredits({ source, entry, key }: Booking, plan: Plan): Changes {
  const { counted: keyed, held, size, known } = plan
  const isNew = ({ returned, reference, twin }: Keyed) =>
    returned === undefined && (twin === undefined || (twin.name === '' && reference !== undefined))
  const added = keyed.filter(isNew)
  const counted = keyed.map((one) => {
    const credit = one.twin === undefined || isNew(one) ? one.key : one.twin.credit
    return { ...toListed(one), credit, twin: one.twin, isReturned: one.returned !== undefined }
  })
  const lines = counted
    .filter(({ isReturned }) => !isReturned)
    .map(({ name, twin, credit, money }) => ({
      reference: name || twin?.name || credit,
      ...moneyBody(money),
    }))
  const credits = counted.map(({ credit, name, money, transferId }) => ({
    credit,
    name,
    transferId,
    ...moneyBody(money),
  }))
  const body = {
    ...moneyBody(entry.money),
    parts: known?.body.parts ?? size,
    lines: [...listIn(known?.body.lines), ...lines],
    print: known?.body.print ?? entry.fingerprint,
    day: known?.body.day ?? entry.day,
    credits: [...listIn(known?.body.credits), ...credits],
    held: [...(known?.stillHeld ?? []), ...held.map((one) => heldBody(one.key, one))],
  }
  return {
    records: [
      ...untold(entry, key, added),
      ...[key, ...keyed.map((one) => one.key)].map((one): RecordChange => {
        return { remove: { kind: 'unmatched', key: heldKey(one) } }
      }),
      // What a file without details counted as money that names no payment.
      ...keyed.flatMap(({ twin, reference, returned }): RecordChange[] =>
        twin?.name === '' && (reference ?? returned) !== undefined
          ? [{ remove: { kind: 'unmatched', key: twin.credit } }]
          : [],
      ),
      { put: { kind: 'entry', key, body } },
      ...added.map((credit) => toRecord(entry, credit.key, credit)),
      ...held.map((one) => toRecord(entry, heldKey(one.key), { ...one, reference: undefined })),
      ...counted.flatMap((part) => {
        const { credit, name, twin } = part
        return listedAs(source, { entry, credit, day: entry.day, part, payment: name || twin?.name })
      }),
    ],
    ask: added.flatMap(({ reference }) => reference ?? []),
    alarms: added
      .filter(({ reference }) => reference === undefined)
      .map(({ money }) => `${shown(money)} of ${entry.day} names no payment`),
    lines: linesIn(body, entry),
  }
}

/** A further booking under one reference may have come alone before, when nobody could tell it from the first. */
function untold(entry: Entry, key: string, credits: readonly Credit[]): RecordChange[] {
  const [first] = key.split(' #')
  if (first === undefined || first === key) return []
  const keys = [otherKey(first, entry), ...credits.map((one) => otherKey(`${first} ${one.reference}`, entry))]
  return keys.map((one) => ({ remove: { kind: 'unmatched', key: one } }))
}

/** Equal amounts of different days are different bookings. */
export function otherKey(key: string, { money, day }: Entry): string {
  return `${key} ${money.amount} ${day}`
}
