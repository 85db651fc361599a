// Counts money that came in, once, however often and in whichever files the bank reports it.
//
// Invariant: one `entry` per booking, with its key in every file (entry-keys.ts). Its deposits and
// unmatched credits are added in the same write and, with returns of our own transfers and what is held, add up to it. A booking is
// counted on one level. A file without its details counts it as an unmatched whole, until another file has them.
import type { Money } from '../../base/money.ts'
import type { ChannelStore, RecordBody, RecordChange } from '../store.ts'
import {
  addCredits,
  type Booking,
  type Changes,
  type Keyed,
  NOTHING,
  otherKey,
  sizeOf,
  withKeys,
} from './add-credits.ts'
import { findTwins, isSecondReturn, listedAs, type Twin } from './alike.ts'
import { type Entry, type Part, type Statement, statementKey } from './camt.ts'
import {
  type Credit,
  clearDoubt,
  heldDoubt,
  heldKey,
  isHeldAs,
  isHeldLike,
  linesIn,
  listIn,
  toListed,
  toRecord,
} from './credit-records.ts'
import type { PaymentReferences } from './payment-reference.ts'
import { isSame, readMoney, shown, textIn } from './transfers.ts'

export type CreditDeps = { readonly store: ChannelStore; readonly references: PaymentReferences }

/** Undefined for an announcement without the bank's reference: the statement brings it again and could not be told apart. */
export function entryKey(statement: Statement, entry: Entry, position: number): string | undefined {
  if (entry.bankRef !== '') return `${statement.iban} ${entry.bankRef}`
  if (statement.kind === 'notification') return undefined
  // As an older version named it, which did not read pages.
  const page = ['', '1'].includes(statement.page) ? '' : `${statement.page}/`
  return `${statement.iban} ${statementKey(statement)} ${page}${position} ${entry.fingerprint}`
}

/** The transfers of an entry, if they add up to it; otherwise the entry as a whole. */
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

/** A booking that has no record under its name, or that of its sum only: new, or counted under another one. */
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
  // The record of a sum would hide that its transfers are held.
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

/** A transfer that may be counted already. One of ours that came back is none: it comes back once. */
function isUnclear({ twin, returned }: Keyed): boolean {
  return twin?.isCertain === false && returned === undefined
}

/** Nothing of it is counted: the operator decides, or a later file of the bank. */
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

/** A booking that was counted. Transfers of it that are held may be clear by now. */
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

/** The held transfers among these, which may have another order; each keeps its key. */
function findHeld(known: RecordBody, parts: readonly Credit[]) {
  const free = new Set(parts.filter(({ returned }) => returned === undefined))
  const open: Keyed[] = []
  let stillHeld = listIn(known.held)
  // Of equal ones that which is the same in all details.
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

/** This kind of file lists it too. */
function listedAgain({ source, entry }: Booking, { credits, day }: RecordBody): RecordChange[] {
  return listIn(credits).flatMap((one) => {
    const money = readMoney(one)
    if (money === undefined) return []
    const part = { money, name: textIn(one, 'name'), transferId: textIn(one, 'transferId') }
    const credit = textIn(one, 'credit')
    // Also if a crash left the file half read: no other entry of it repeats this credit.
    source.taken.add(credit)
    return listedAs(source, { entry, credit, day: String(day), part })
  })
}

export function isCountedAs(body: RecordBody, money: Money): boolean {
  const counted = readMoney(body)
  return counted !== undefined && isSame(counted, money)
}

/** Whether exactly these were counted: payments, or the keys of credits that name none. */
export function isNamedIn({ lines }: RecordBody, references: readonly (string | undefined)[]): boolean {
  const counted = listIn(lines).map(({ reference }) => reference)
  return counted.length === references.length && counted.every((one, at) => one === references[at])
}

/** A transfer for one payment under the reference of a transfer for another one: the bank uses its references again. */
function namesAnother({ lines }: RecordBody, key: string, credits: readonly Credit[]): boolean {
  const [counted, ...others] = listIn(lines)
  const [named, ...more] = credits.map(({ reference }) => reference)
  if (counted === undefined || named === undefined || others.length + more.length > 0) return false
  return counted.reference !== key && counted.reference !== named
}

/** Two bookings under one reference: nothing shows which of them is new, so an operator must look. */
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
