// The records of credits. A credit is a deposit of its payment, unmatched (it names no payment), or held (it may have
// been counted before).
import type { Money } from '../../../platform/base/money.ts'
import { isObject } from '../../../platform/base/object.ts'
import type { RecordBody, RecordChange } from '../../contract/store.ts'
import { type Entry, fingerprintOf, type Part } from './camt.ts'
import { type Listed, listedAs, type Source, type Twin } from './counted-before.ts'
import { isSame, moneyBody, readMoney, shown, textIn } from './transfers.ts'

/** A line of the table for `tollgate reconcile`. */
export type ReadLine = {
  /** The key of the credit. Undefined without a bank reference, and in records of earlier versions. */
  readonly id?: string | undefined
  readonly reference: string
  readonly type: 'payment' | 'refund' | 'payout'
  readonly money: Money
  readonly day: string
}

export type Credit = {
  readonly money: Money
  readonly part: Part | undefined
  readonly reference: string | undefined
  /** Our own transfer that was returned. A return is not a credit. */
  readonly returned?: string
}

export function toListed({ money, part, reference, returned }: Credit): Listed {
  const name = reference ?? returned ?? ''
  // The last text is the end-to-end id, which banks give even if they omit the remittance text.
  const hasDetails = part?.texts.slice(0, -1).some((one) => one !== '') ?? false
  return { money, name, transferId: part?.transferId ?? '', hasDetails }
}

export function linesIn({ lines }: RecordBody, { day }: Entry): ReadLine[] {
  return listIn(lines).flatMap((line) => {
    const money = readMoney(line)
    const id = textIn(line, 'id')
    return money === undefined
      ? []
      : [
          {
            ...(id !== '' && { id }),
            reference: textIn(line, 'reference'),
            type: 'payment' as const,
            money,
            day,
          },
        ]
  })
}

export function toRecord(entry: Entry, key: string, { money, part, reference }: Credit): RecordChange {
  const body = {
    ...moneyBody(money),
    at: entry.at.toISOString(),
    payerName: (part?.payerName ?? '').slice(0, 140),
    payerAccount: part?.payerAccount ?? '',
  }
  if (reference !== undefined) return { add: { kind: 'deposit', key, reference, body } }
  const text = (part?.texts ?? []).join(' ').slice(0, 500)
  return { add: { kind: 'unmatched', key, body: { ...body, day: entry.day, text } } }
}

/** `key` is the key that the held credit gets if it counts, here and in `heldBody`. */
export function heldKey(key: string): string {
  return `${key} unclear`
}

function heldBody(key: string, credit: Credit): RecordBody {
  const { money, part } = credit
  return { key, name: toListed(credit).name, print: fingerprintOf([part]), ...moneyBody(money) }
}

export function isHeldAs(held: RecordBody, credit: Credit): boolean {
  return isHeldLike(held, credit) && held.print === fingerprintOf([credit.part])
}

export function isHeldLike(held: RecordBody, credit: Credit): boolean {
  const money = readMoney(held)
  return money !== undefined && isSame(money, credit.money) && held.name === toListed(credit).name
}

export function heldDoubt({ day }: Entry, money: Money, { name }: Twin): string {
  const whose = name === '' ? 'a transfer' : `the transfer of ${name}`
  return `${shown(money)} of ${day} may be ${whose} that was counted before under another name; compare both with the bank first`
}

/** An operator may already have booked by hand a held credit that now counts. */
export function clearDoubt({ money, day }: Entry, lines: readonly ReadLine[]): string {
  const whose = lines.map(({ reference }) => reference).join(', ')
  const amount = lines.reduce((sum, line) => sum + line.money.amount, 0n)
  const what = `${shown({ ...money, amount })} of ${day} was held and now counts for ${whose}`
  return `${what}; if it was booked by hand meanwhile, book that out with suspense return`
}

export function listIn(value: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

export type Changes = {
  readonly records: readonly RecordChange[]
  /** The payments, refunds and payouts to ask about after the write. */
  readonly ask: readonly string[]
  /** One sentence each, for the operator. */
  readonly alarms: readonly string[]
  /** Alarms about held money and second returns, without the advice to book the statement's table. */
  readonly doubts?: readonly string[]
  /** For the table, even if an earlier file has already counted the entry. */
  readonly lines: readonly ReadLine[]
}

export const NOTHING: Changes = { records: [], ask: [], alarms: [], lines: [] }

/** `key` is the key of the entry's booking. */
export type Booking = { readonly source: Source; readonly entry: Entry; readonly key: string }

/** `key` is the key of the transfer's record, `twin` the counted credit that the transfer repeats. */
export type Keyed = Credit & { readonly key: string; readonly twin?: Twin | undefined }

type Plan = {
  readonly counted: readonly Keyed[]
  /** Transfers that may have been counted before, so that they do not count now. */
  readonly held: readonly Keyed[]
  /** The booking's transfers, without returns. */
  readonly size: number
  /** The booking's record, and its held transfers that are neither in `counted` nor in `held`. */
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
      // Without the bank's reference, the key contains the entry's position in the file, which may change.
      id: entry.bankRef === '' ? '' : credit,
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
      // An earlier file without details may have counted this transfer as an unmatched credit.
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

/** An earlier file may have listed only a further booking under the bank reference, as unmatched. */
function untold(entry: Entry, key: string, credits: readonly Credit[]): RecordChange[] {
  const [first] = key.split(' #')
  if (first === undefined || first === key) return []
  const keys = [otherKey(first, entry), ...credits.map((one) => otherKey(`${first} ${one.reference}`, entry))]
  return keys.map((one) => ({ remove: { kind: 'unmatched', key: one } }))
}

/** Another booking has the bank reference. The day is in the key: equal amounts of other days are other bookings. */
export function otherKey(key: string, { money, day }: Entry): string {
  return `${key} ${money.amount} ${day}`
}
