// Counts money that came in, once, however often and in whichever files the bank reports it.
//
// Invariant: one `entry` per booking, with its key in every file (entry-keys.ts). Its deposits and
// unmatched credits are added in the same write and, with returns of our own transfers and what is held, add up to it. A booking is
// counted on one level. A file without its details counts it as an unmatched whole, until another file has them.
import type { Money } from '../../base/money.ts'
import type { ChannelStore, RecordBody, RecordChange } from '../store.ts'
import { findTwins, listedAs, type Source, type Twin } from './alike.ts'
import { type Entry, type Part, type Statement, statementKey } from './camt.ts'
import {
  type Credit,
  clearDoubt,
  heldDoubt,
  heldIn,
  heldKey,
  linesIn,
  listIn,
  type ReadLine,
  toListed,
  toRecord,
} from './credit-records.ts'
import type { PaymentReferences } from './payment-reference.ts'
import { isSame, moneyBody, readMoney, shown, textIn } from './transfers.ts'

export type CreditDeps = { readonly store: ChannelStore; readonly references: PaymentReferences }

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
  if (!isCountedAs(found, entry.money)) return addOther(entry, key)
  if (namesAnother(found, key, credits)) return addOther(entry, `${key} ${credits[0]?.reference}`)
  const knowsMore = credits.length !== 1 || credits[0]?.reference !== undefined
  const whole = knowsMore && found.parts === 1 ? await store.find({ kind: 'unmatched', key }) : undefined
  if (whole === undefined) return countAgain(store, booking, found, parts)
  const changes = addCredits(booking, parts)
  return { ...changes, records: [{ remove: { kind: 'unmatched', key } }, ...changes.records] }
}

/** A booking that has no record under its name: new, or counted under another one. */
async function countNew(store: ChannelStore, booking: Booking, parts: readonly Credit[]): Promise<Changes> {
  const { source, entry, key } = booking
  const twins = await findTwins(store, source, entry, parts.map(toListed))
  const unclear = unclearIn(parts, twins)
  const [first] = unclear
  if (first !== undefined && unclear.length === parts.length)
    return holdWhole(store, booking, first.twin, parts)
  const changes = addCredits(booking, parts, { twins, held: unclear.map(({ at }) => at) })
  const doubts = unclear.map(({ money, twin }) => heldDoubt(entry, money, twin))
  const isHeld = (await store.find({ kind: 'unmatched', key: heldKey(key) })) !== undefined
  return { ...changes, doubts: [...(isHeld ? [clearDoubt(entry, changes.lines)] : []), ...doubts] }
}

/** Transfers that may be counted already. One of ours that came back is none: it comes back once. */
function unclearIn(parts: readonly Credit[], twins: readonly (Twin | undefined)[]) {
  return parts.flatMap(({ money, returned }, at) => {
    const twin = twins[at]
    return twin?.isCertain === false && returned === undefined ? [{ at, money, twin }] : []
  })
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
  const held = heldIn(known).filter(({ at, money, name }) => {
    const part = parts[at]
    return part !== undefined && isSame(part.money, money) && toListed(part).name === name
  })
  const open = parts.map((part, at) => (held.some((one) => one.at === at) ? toListed(part) : undefined))
  const twins = await findTwins(store, source, entry, open)
  const unclear = unclearIn(parts, twins).map(({ at }) => at)
  if (held.length === unclear.length) return { ...NOTHING, records, lines: linesIn(known, entry) }
  const changes = addCredits(booking, parts, { twins, held: unclear, known })
  const counted = changes.lines.slice(linesIn(known, entry).length)
  return { ...changes, records: [...records, ...changes.records], doubts: [clearDoubt(entry, counted)] }
}

type Keyed = Credit & { readonly key: string; readonly twin: Twin | undefined; readonly at: number }

/** How the transfers of a booking are counted. */
type Plan = {
  /** For each transfer. */
  readonly twins: readonly (Twin | undefined)[]
  /** The places of those that may be counted already. */
  readonly held: readonly number[]
  /** The booking's record; only those that it holds are counted then. */
  readonly known?: RecordBody
}

function addCredits(
  { source, entry, key }: Booking,
  parts: readonly Credit[],
  { twins, held, known }: Plan = { twins: [], held: [] },
): Changes {
  const size = parts.filter(({ returned }) => returned === undefined).length
  let count = 0
  const all = parts.map((part, at): Keyed => {
    const own =
      part.returned === undefined
        ? size > 1
          ? `${key} ${++count}`
          : key
        : `${key} returned ${part.returned}`
    return { ...part, key: own, twin: twins[at], at }
  })
  const before = known && heldIn(known)
  const isOpen = ({ at }: Keyed) => before === undefined || before.some((one) => one.at === at)
  const unclear = all.filter(({ at }) => held.includes(at))
  const keyed = all.filter((one) => isOpen(one) && !unclear.includes(one))
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
    parts: size,
    lines: [...listIn(known?.lines), ...lines],
    print: known?.print ?? entry.fingerprint,
    day: known?.day ?? entry.day,
    credits: [...listIn(known?.credits), ...credits],
    held: unclear.map(({ at, money, ...part }) => {
      return { at, name: toListed({ ...part, money }).name, ...moneyBody(money) }
    }),
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
      ...unclear.map((one) => toRecord(entry, heldKey(one.key), { ...one, reference: undefined })),
      ...counted.map((part) => ({
        add: listedAs(source, { entry, credit: part.credit, day: entry.day, part }),
      })),
    ],
    ask: added.flatMap(({ reference }) => reference ?? []),
    alarms: added
      .filter(({ reference }) => reference === undefined)
      .map(({ money }) => `${shown(money)} of ${entry.day} names no payment`),
    lines: linesIn(body, entry),
  }
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
    return [{ add: listedAs(source, { entry, credit, day: String(day), part }) }]
  })
}

/** A further booking under one reference may have come alone before, when nobody could tell it from the first. */
function untold({ money }: Entry, key: string, credits: readonly Credit[]): RecordChange[] {
  const [first] = key.split(' #')
  if (first === undefined || first === key) return []
  const keys = [otherKey(first, money), ...credits.map((one) => otherKey(`${first} ${one.reference}`, money))]
  return keys.map((one) => ({ remove: { kind: 'unmatched', key: one } }))
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

/** Two bookings under one reference: which of them is new cannot be told, so an operator must look. */
function addOther(entry: Entry, key: string): Changes {
  const { money, day } = entry
  const reference = otherKey(key, money)
  return {
    records: [toRecord(entry, reference, { money, part: undefined, reference: undefined })],
    ask: [],
    alarms: [`${shown(money)} of ${day} has the bank reference of another booking`],
    lines: [{ reference, type: 'payment', money, day }],
  }
}

function otherKey(key: string, { amount }: Money): string {
  return `${key} ${amount}`
}
