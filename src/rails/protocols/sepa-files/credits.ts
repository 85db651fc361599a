// Counts incoming money once, however often and in whichever files the bank reports it.
//
// Invariant: each counted booking has one `entry` record. The deposits and unmatched credits of a booking are added in
// the same write as its `entry`. Deposits, unmatched credits, held credits, returns of our own transfers, and credits
// that were counted before add up to the amount of the booking. A booking counts as a whole or by its transfers: if a
// file has no details, the whole booking is unmatched until another file has the details.
import type { Money } from '../../../platform/base/money.ts'
import { objectsIn, textIn } from '../../../platform/base/object.ts'
import type { ChannelStore, RecordBody, RecordChange } from '../../contract/store.ts'
import { moneyBody, readMoney } from '../../toolkit/records/money.ts'
import { type Entry, fingerprintOf, type Part, type Statement, statementKey } from './camt.ts'
import { findTwins, isSecondReturn, type Listed, listedAs, type Source, type Twin } from './counted-before.ts'
import type { PaymentReferences } from './payment-reference.ts'
import { isSame, shown } from './transfers.ts'

export type CreditDeps = { readonly store: ChannelStore; readonly references: PaymentReferences }

/**
 * Returns the key of the entry's booking. Undefined for an entry of a notification without the bank's reference: this
 * entry counts once the statement lists the booking.
 */
export function entryKey(statement: Statement, entry: Entry, position: number): string | undefined {
  if (entry.bankRef !== '') return `${statement.iban} ${entry.bankRef}`
  if (statement.kind === 'notification') return undefined
  // Earlier versions did not read pages, so the key of the first page has no page number.
  const page = ['', '1'].includes(statement.page) ? '' : `${statement.page}/`
  return `${statement.iban} ${statementKey(statement)} ${page}${position} ${entry.fingerprint}`
}

/** Returns the transfers of an entry if they add up to its amount; otherwise the entry as a whole. */
export function partsOf({
  money,
  parts,
}: Entry): readonly { readonly money: Money; readonly part: Part | undefined }[] {
  const [first] = parts
  const each = parts.flatMap((part) => (part.money === undefined ? [] : [{ money: part.money, part }]))
  const sum = each.reduce((total, one) => total + one.money.amount, 0n)
  const isWhole =
    each.length === parts.length &&
    sum === money.amount &&
    each.every((one) => one.money.currency === money.currency)
  return parts.length > 1 && isWhole ? each : [{ money, part: parts.length === 1 ? first : undefined }]
}

export async function findPayment(deps: CreditDeps, part: Part | undefined): Promise<string | undefined> {
  const number = deps.references.numberIn(part?.texts ?? [])
  return number === undefined ? undefined : deps.store.referenceOf(number)
}

export async function countCredits(
  { store }: CreditDeps,
  booking: Booking,
  parts: readonly Credit[],
): Promise<Changes> {
  const { entry, key } = booking
  const credits = parts.filter(({ returned }) => returned === undefined)
  const found = (await store.find({ kind: 'entry', key }))?.body
  if (found === undefined) return countNew(store, booking, parts)
  if (!isCountedAs(found, entry.money)) return addOther(store, entry, key)
  if (namesAnother(found, key, credits)) return addOther(store, entry, `${key} ${credits[0]?.reference}`)
  const knowsMore = credits.length !== 1 || credits[0]?.reference !== undefined
  const whole = knowsMore && found.parts === 1 ? await store.find({ kind: 'unmatched', key }) : undefined
  if (whole === undefined) return countAgain(store, booking, found, parts)
  const changes = await countNew(store, booking, parts, { isSum: true })
  return { ...changes, records: [{ remove: { kind: 'unmatched', key } }, ...changes.records] }
}

/**
 * Counts a booking that has no record under this key. If `isSum` is true, counts the transfers of a booking that was
 * recorded only as a sum. The booking may have been counted before under another key.
 */
async function countNew(
  store: ChannelStore,
  booking: Booking,
  parts: readonly Credit[],
  { isSum = false } = {},
): Promise<Changes> {
  const { source, entry, key } = booking
  const twins = await findTwins(store, source, entry, parts.map(toListed))
  const all = withKeys(key, parts).map((part, at): Keyed => ({ ...part, twin: twins[at] }))
  const held = all.filter(isUnclear)
  const [first] = held
  // The record of a sum is always replaced: otherwise the sum would still count as unmatched.
  if (first?.twin !== undefined && held.length === parts.length && !isSum)
    return holdWhole(store, booking, first.twin, parts)
  const counted = all.filter((one) => !isUnclear(one))
  const changes = addCredits(booking, { counted, held, size: sizeOf(parts) })
  const doubts = held.flatMap(({ money, twin }) => (twin === undefined ? [] : heldDoubt(entry, money, twin)))
  const isHeld = (await store.find({ kind: 'unmatched', key: heldKey(key) })) !== undefined
  const cleared = isHeld ? [clearDoubt(entry, changes.lines)] : []
  return { ...changes, doubts: [...cleared, ...doubts, ...(await secondReturns(store, booking, all))] }
}

async function secondReturns(store: ChannelStore, { source, entry }: Booking, parts: readonly Keyed[]) {
  const doubts: string[] = []
  for (const part of parts.filter(({ returned }) => returned !== undefined))
    if ((await isSecondReturn(store, source, toListed(part))) && part.twin === undefined)
      doubts.push(`${shown(part.money)} of ${entry.day} is a second return of ${part.returned}`)
  return doubts
}

/** True if the transfer must be held, because it may have been counted before. Returns are never held. */
function isUnclear({ twin, returned }: Keyed): boolean {
  return twin?.isCertain === false && returned === undefined
}

/** Holds the whole booking: nothing of it counts until an operator or a later file decides. */
async function holdWhole(
  store: ChannelStore,
  { entry, key }: Booking,
  twin: Twin,
  [first]: readonly Credit[],
): Promise<Changes> {
  const { money } = entry
  const isKnown = (await store.find({ kind: 'unmatched', key: heldKey(key) })) !== undefined
  return {
    ...NOTHING,
    records: [toRecord(entry, heldKey(key), { money, part: first?.part, reference: undefined })],
    doubts: isKnown ? [] : [heldDoubt(entry, money, twin)],
  }
}

/** Handles a booking that was counted before. This file may decide that held transfers of the booking count. */
async function countAgain(
  store: ChannelStore,
  booking: Booking,
  known: RecordBody,
  parts: readonly Credit[],
): Promise<Changes> {
  const { source, entry } = booking
  const records = listedAgain(booking, known)
  const { open, stillHeld } = findHeld(known, parts)
  const twins = await findTwins(store, source, entry, open.map(toListed))
  const all = open.map((part, at): Keyed => ({ ...part, twin: twins[at] }))
  const [held, counted] = [all.filter(isUnclear), all.filter((one) => !isUnclear(one))]
  if (counted.length === 0) return { ...NOTHING, records, lines: linesIn(known, entry) }
  const size = sizeOf(parts)
  const changes = addCredits(booking, { counted, held, size, known: { body: known, stillHeld } })
  const added = changes.lines.slice(linesIn(known, entry).length)
  return { ...changes, records: [...records, ...changes.records], doubts: [clearDoubt(entry, added)] }
}

/**
 * Finds the held transfers of the record among the parts, which may be in another order. `open` are the parts that were
 * found, each with its key. `stillHeld` are the held transfers that were not found.
 */
function findHeld(known: RecordBody, parts: readonly Credit[]) {
  const free = new Set(parts.filter(({ returned }) => returned === undefined))
  const open: Keyed[] = []
  let stillHeld = objectsIn(known.held)
  // First come parts with the same details, then parts with only the same amount and payment.
  for (const isIt of [isHeldAs, isHeldLike])
    stillHeld = stillHeld.filter((held) => {
      const part = free.values().find((one) => isIt(held, one))
      if (part === undefined) return true
      free.delete(part)
      open.push({ ...part, key: textIn(held, 'key') })
      return false
    })
  return { open, stillHeld }
}

/** Returns records which say that this kind of file lists the counted credits of the booking, too. */
function listedAgain({ source, entry }: Booking, { credits, day }: RecordBody): RecordChange[] {
  return objectsIn(credits).flatMap((one) => {
    const money = readMoney(one)
    if (money === undefined) return []
    const part = { money, name: textIn(one, 'name'), transferId: textIn(one, 'transferId') }
    const credit = textIn(one, 'credit')
    // The credit belongs to this entry, so no other entry of the file may repeat it. The credit is already counted if a
    // crash interrupted the reading of the file, and the file is read again.
    source.taken.add(credit)
    return listedAs(source, { entry, credit, day: String(day), part })
  })
}

export function isCountedAs(body: RecordBody, money: Money): boolean {
  const counted = readMoney(body)
  return counted !== undefined && isSame(counted, money)
}

/** True if exactly these references were counted in this order. A credit without a payment has its key as reference. */
export function isNamedIn({ lines }: RecordBody, references: readonly (string | undefined)[]): boolean {
  const counted = objectsIn(lines).map(({ reference }) => reference)
  return counted.length === references.length && counted.every((one, at) => one === references[at])
}

/**
 * True if one transfer for another payment was counted under this bank reference: the bank used the reference twice.
 */
function namesAnother({ lines }: RecordBody, key: string, credits: readonly Credit[]): boolean {
  const [counted, ...others] = objectsIn(lines)
  const [named, ...more] = credits.map(({ reference }) => reference)
  if (counted === undefined || named === undefined || others.length + more.length > 0) return false
  return counted.reference !== key && counted.reference !== named
}

/**
 * Records a booking whose bank reference another booking already has. The booking is unmatched and counts for no
 * payment: an alarm asks an operator to look.
 */
async function addOther(store: ChannelStore, entry: Entry, key: string): Promise<Changes> {
  const { money, day } = entry
  const reference = otherKey(key, entry)
  const isKnown = (await store.find({ kind: 'unmatched', key: reference })) !== undefined
  return {
    records: [toRecord(entry, reference, { money, part: undefined, reference: undefined })],
    ask: [],
    alarms: isKnown ? [] : [`${shown(money)} of ${day} has the bank reference of another booking`],
    lines: [{ reference, type: 'payment', money, day }],
  }
}

// The records of credits. A credit is a deposit of its payment, unmatched (it names no payment), or held (it may have
// been counted before).

/** A line of the table for `tollgate reconcile`. */
export type ReadLine = {
  /**
   * The key of a counted credit with a bank reference. Undefined for other lines, and in records of earlier versions.
   */
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
  /** The reference of our own transfer, if this money is its return. Such money is not counted as a credit. */
  readonly returned?: string
}

function toListed({ money, part, reference, returned }: Credit): Listed {
  const name = reference ?? returned ?? ''
  // The last text is the end-to-end id. Banks give the id even if they omit the remittance text, so the id is no
  // detail.
  const hasDetails = part?.texts.slice(0, -1).some((one) => one !== '') ?? false
  return { money, name, transferId: part?.transferId ?? '', hasDetails }
}

function linesIn({ lines }: RecordBody, { day }: Entry): ReadLine[] {
  return objectsIn(lines).flatMap((line) => {
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

/** Returns the key of a held credit's record. `key` is the key that the credit gets if it counts. */
function heldKey(key: string): string {
  return `${key} unclear`
}

function heldBody(key: string, credit: Credit): RecordBody {
  const { money, part } = credit
  return { key, name: toListed(credit).name, print: fingerprintOf([part]), ...moneyBody(money) }
}

function isHeldAs(held: RecordBody, credit: Credit): boolean {
  return isHeldLike(held, credit) && held.print === fingerprintOf([credit.part])
}

function isHeldLike(held: RecordBody, credit: Credit): boolean {
  const money = readMoney(held)
  return money !== undefined && isSame(money, credit.money) && held.name === toListed(credit).name
}

function heldDoubt({ day }: Entry, money: Money, { name }: Twin): string {
  const whose = name === '' ? 'a transfer' : `the transfer of ${name}`
  return `${shown(money)} of ${day} may be ${whose} that was counted before under another name; compare both with the bank first`
}

/** Returns the alarm about held credits that now count: an operator may already have booked them by hand. */
function clearDoubt({ money, day }: Entry, lines: readonly ReadLine[]): string {
  const whose = lines.map(({ reference }) => reference).join(', ')
  const amount = lines.reduce((sum, line) => sum + line.money.amount, 0n)
  const what = `${shown({ ...money, amount })} of ${day} was held and now counts for ${whose}`
  return `${what}; if it was booked by hand meanwhile, book that out with suspense return`
}

export type Changes = {
  readonly records: readonly RecordChange[]
  /** The references of payments, refunds and payouts whose outcome is queried after the write. */
  readonly ask: readonly string[]
  /** Alarms for the operator. For a statement, they also advise the operator to book the statement's table. */
  readonly alarms: readonly string[]
  /** Alarms about held money and second returns. They never advise the operator to book the table. */
  readonly doubts?: readonly string[]
  /**
   * The lines for the table that `tollgate reconcile` reads. An entry has its lines even if an earlier file has already
   * counted the entry.
   */
  readonly lines: readonly ReadLine[]
}

export const NOTHING: Changes = { records: [], ask: [], alarms: [], lines: [] }

export type Booking = { readonly source: Source; readonly entry: Entry; readonly key: string }

/** `key` is the key of the transfer's record. `twin` is the counted credit that the transfer repeats, or may repeat. */
type Keyed = Credit & { readonly key: string; readonly twin?: Twin | undefined }

type Plan = {
  readonly counted: readonly Keyed[]
  /** The transfers that do not count now, because they may have been counted before. */
  readonly held: readonly Keyed[]
  /** The number of the booking's transfers, without returns. */
  readonly size: number
  /** The booking's record, and its held transfers that are neither in `counted` nor in `held`. */
  readonly known?: { readonly body: RecordBody; readonly stillHeld: readonly RecordBody[] }
}

function withKeys(key: string, parts: readonly Credit[]): Keyed[] {
  const size = sizeOf(parts)
  let count = 0
  return parts.map((part) => {
    if (part.returned !== undefined) return { ...part, key: `${key} returned ${part.returned}` }
    count += 1
    return { ...part, key: size > 1 ? `${key} ${count}` : key }
  })
}

function sizeOf(parts: readonly Credit[]): number {
  return parts.filter(({ returned }) => returned === undefined).length
}

function addCredits({ source, entry, key }: Booking, plan: Plan): Changes {
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
      // Without the bank's reference there is no id: the key then contains the entry's position in the file, which may
      // change.
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
    lines: [...objectsIn(known?.body.lines), ...lines],
    print: known?.body.print ?? entry.fingerprint,
    day: known?.body.day ?? entry.day,
    credits: [...objectsIn(known?.body.credits), ...credits],
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

/**
 * Returns the removals of unmatched records that `addOther` may have added for this booking. If several bookings have
 * the same bank reference, an earlier file may have listed this booking without the others. The booking was then
 * recorded as unmatched.
 */
function untold(entry: Entry, key: string, credits: readonly Credit[]): RecordChange[] {
  const [first] = key.split(' #')
  if (first === undefined || first === key) return []
  const keys = [otherKey(first, entry), ...credits.map((one) => otherKey(`${first} ${one.reference}`, entry))]
  return keys.map((one) => ({ remove: { kind: 'unmatched', key: one } }))
}

/**
 * Returns the key for a booking whose bank reference another booking already has. The key contains the day, because an
 * equal amount on another day is another booking.
 */
function otherKey(key: string, { money, day }: Entry): string {
  return `${key} ${money.amount} ${day}`
}
