// Finds credits that were counted before under another key. A bank may leave its reference out of one kind of file,
// change its reference, or send a statement again under another id.
//
// Invariant: each counted credit has a `listed` record for each kind of file (statement or notification) that lists it.
// A statement lists every booking of its days once. So an entry without the bank's reference usually repeats a credit
// of the same day and amount if only the other kind of file has listed this credit. `isAnnounced` and `isRepeated` have
// the exact rules. If the code cannot decide, the credit is held: it does not count, and an alarm asks an operator to
// decide.
import type { Money } from '../../../platform/base/money.ts'
import { textIn } from '../../../platform/base/object.ts'
import type { ChannelRecord, ChannelStore, RecordChange } from '../../contract/store.ts'
import { type Entry, type Statement, statementKey } from './camt.ts'
import {
  covers,
  listStatements,
  mayCover,
  overlaps,
  type Period,
  periodIn,
  periodOf,
} from './statement-chain.ts'
import { shown } from './transfers.ts'

export type Source = {
  readonly statement: Statement
  /** The keys of the file's own bookings. An entry never repeats a credit of another entry of the same file. */
  readonly keys: ReadonlySet<string | undefined>
  /**
   * The earlier credits that were matched with an entry of this file. Each credit is matched with one entry at most.
   */
  readonly taken: Set<string>
  /** Our own transfers that were returned in this file. */
  readonly returned: Set<string>
  /**
   * The credits that were counted before this file, by day and amount, or by payment and amount. Each list is read only
   * once, so that credits of this file are not in it.
   */
  readonly counted: Map<string, readonly Counted[]>
  /** The periods of all statements of the account that were read before; empty for a notification. */
  readonly periods: readonly Period[]
}

/** One transfer of an entry. */
export type Listed = {
  readonly money: Money
  /** The reference of the payment, or of our own transfer that was returned; '' if neither is named. */
  readonly name: string
  /** The banks' own id of the transfer, or ''. */
  readonly transferId: string
  /** True if there is a remittance text. Otherwise the payer may have named a payment in a text that the file omits. */
  readonly hasDetails: boolean
}

/** A counted credit that an entry repeats. If `isCertain` is false, the entry may also be a new credit. */
export type Twin = { readonly credit: string; readonly name: string; readonly isCertain: boolean }

type Counted = {
  readonly credit: string
  readonly records: readonly ChannelRecord[]
}

const LISTED = 'listed'
/**
 * The kind of a copy of each `listed` record. The copies are indexed by payment and amount, the `listed` records by
 * account, day and amount.
 */
const LISTED_FOR = 'listed for'
const DAY_MS = 86_400_000
/**
 * A statement and a notification may give different days for a booking, so days near the entry's day are searched, too.
 */
const NEAR_DAYS = [0, -1, 1, -2, 2, -3, 3]

export async function toSource(
  store: ChannelStore,
  statement: Statement,
  keys: Iterable<string | undefined>,
): Promise<Source> {
  const periods = statement.kind === 'statement' ? await listStatements(store, statement.iban) : []
  return {
    statement,
    keys: new Set(keys),
    taken: new Set(),
    returned: new Set(),
    counted: new Map(),
    periods,
  }
}

/**
 * Returns the records which say that this kind of file lists the credit. `day` is the day of the booking in this file,
 * or in the file that recorded the booking first.
 */
export function listedAs(
  { statement }: Source,
  {
    entry,
    credit,
    day,
    part,
    payment = part.name,
  }: {
    entry: Entry
    credit: string
    day: string
    part: Omit<Listed, 'hasDetails'>
    /** The reference of the credit's payment, named by this file or by an earlier file. */
    payment?: string | undefined
  },
): RecordChange[] {
  const { kind, id, sequence, page, iban } = statement
  const body = {
    credit,
    kind,
    entry: entry.fingerprint,
    day,
    name: part.name,
    bankRef: entry.bankRef,
    transferId: part.transferId,
    statement: statementKey(statement),
    id,
    sequence,
    page,
    ...periodOf(statement),
  }
  const listed = { key: `${credit} ${kind}`, body }
  const { money } = part
  return [
    { add: { ...listed, kind: LISTED, reference: groupOf(iban, day, money) } },
    ...(payment === ''
      ? []
      : [{ add: { ...listed, kind: LISTED_FOR, reference: paymentGroupOf(payment, money) } }]),
  ]
}

function groupOf(iban: string, day: string, money: Money): string {
  return `${iban} ${day} ${shown(money)}`
}

function paymentGroupOf(name: string, money: Money): string {
  return `${name} ${shown(money)}`
}

/** Returns, for each part, the counted credit that the part repeats, or undefined if the part is new. */
export async function findTwins(
  store: ChannelStore,
  source: Source,
  entry: Entry,
  parts: readonly Listed[],
): Promise<(Twin | undefined)[]> {
  const twins: (Twin | undefined)[] = []
  for (const part of parts) {
    const twin = await findTwin(store, source, entry, part)
    // Only a certain twin is taken. An uncertain one stays free, because a later entry may match it with certainty.
    if (twin?.isCertain === true) source.taken.add(twin.credit)
    twins.push(twin)
  }
  return twins
}

/**
 * True if this file, or an earlier file of the same kind, has already reported a return of our transfer. A bank may
 * return a transfer twice. Ignore the result for an entry that repeats a counted credit.
 */
export async function isSecondReturn(store: ChannelStore, source: Source, part: Listed): Promise<boolean> {
  const { statement, returned } = source
  if (returned.has(part.name)) return true
  returned.add(part.name)
  const all = await listCounted(store, source, LISTED_FOR, paymentGroupOf(part.name, part.money))
  return all.some(
    ({ credit, records }) => isIn(source, credit) || records.some(({ body }) => body.kind === statement.kind),
  )
}

async function findTwin(store: ChannelStore, source: Source, entry: Entry, part: Listed) {
  const { iban } = source.statement
  // An entry with the bank's reference is compared here only with credits of its own day. Credits of other days are
  // compared below, if they name the same payment.
  for (const after of entry.bankRef === '' ? NEAR_DAYS : [0]) {
    const day = new Date(Date.parse(entry.day) + after * DAY_MS).toISOString().slice(0, 10)
    const counted = await listCounted(store, source, LISTED, groupOf(iban, day, part.money))
    const found = bestOf(counted, source, entry, part)
    if (found !== undefined) return found
  }
  if (part.name === '') return undefined
  const all = await listCounted(store, source, LISTED_FOR, paymentGroupOf(part.name, part.money))
  // The day may differ if the entry or the counted credit has no bank reference, or if both have the same transfer id.
  const isNear = ({ records }: Counted) =>
    records.every(({ body }) => body.bankRef === '') || isSameTransfer(records, part)
  return bestOf(entry.bankRef === '' ? all : all.filter(isNear), source, entry, part)
}

async function listCounted(store: ChannelStore, { counted }: Source, kind: string, reference: string) {
  const key = `${kind} ${reference}`
  const known = counted.get(key)
  if (known !== undefined) return known
  const groups = Map.groupBy(await store.listOf(kind, reference), ({ body }) => textIn(body, 'credit'))
  const all = [...groups].map(([credit, records]): Counted => ({ credit, records }))
  counted.set(key, all)
  return all
}

function bestOf(counted: readonly Counted[], source: Source, entry: Entry, part: Listed) {
  const free = counted.filter(({ credit }) => isFree(source, credit))
  const twins = free.flatMap((one) => twinOf(one, source, entry, part) ?? [])
  return (
    twins.find(({ name, isCertain }) => isCertain && name === part.name) ??
    twins.find(({ isCertain }) => isCertain) ??
    twins[0]
  )
}

function isFree(source: Source, credit: string): boolean {
  return !source.taken.has(credit) && !isIn(source, credit)
}

/**
 * True if the credit belongs to a booking of this file. A credit's key is the key of its booking, perhaps with a
 * suffix.
 */
function isIn({ keys }: Source, credit: string): boolean {
  return keys.has(credit) || keys.has(credit.replace(/ (\d+|returned \S+)$/, ''))
}

function twinOf({ credit, records }: Counted, source: Source, entry: Entry, part: Listed): Twin | undefined {
  const [first] = records
  const inSameKind = records.find(({ body }) => body.kind === source.statement.kind)
  if (first === undefined) return undefined
  const name = textIn(first.body, 'name')
  const isCertain =
    inSameKind === undefined
      ? isAnnounced(first, entry, part)
      : // If a transfer has two bank references, only the bank knows whether it booked the transfer twice.
        (isRepeated(inSameKind, source, entry, part) ?? (isSameTransfer(records, part) ? false : undefined))
  return isCertain === undefined ? undefined : { credit, name, isCertain }
}

function isSameTransfer(records: readonly ChannelRecord[], { name, transferId }: Listed): boolean {
  if (name === '' || transferId === '') return false
  return records.some(({ body }) => body.name === name && body.transferId === transferId)
}

/**
 * Compares an entry with a credit that only the other kind of file lists. Returns true if both are the same, false if
 * they may be the same, and undefined if they are different.
 */
function isAnnounced({ body }: ChannelRecord, entry: Entry, { name, transferId, hasDetails }: Listed) {
  const known = { name: textIn(body, 'name'), transferId: textIn(body, 'transferId') }
  const hasBothRefs = entry.bankRef !== '' && body.bankRef !== ''
  const isSameName = known.name === name
  if (!isSameName && (hasBothRefs || (known.name !== '' && name !== ''))) return undefined
  if (known.transferId !== '' && transferId !== '') return known.transferId === transferId || undefined
  // Credits of different days are different, unless both name the same payment: then they may be the same.
  if (body.day !== entry.day) return isSameName && name !== '' ? false : undefined
  if (!isSameName && name === '' && hasDetails) return undefined
  return !hasBothRefs
}

/**
 * Compares an entry with a credit that the same kind of file lists. Returns true if both are the same, false if they
 * may be the same, and undefined if they are different. If both have a bank reference, they are different: with equal
 * references they would have equal keys, and would not be compared here.
 */
function isRepeated({ body }: ChannelRecord, source: Source, entry: Entry, { transferId }: Listed) {
  const { statement, periods } = source
  const hasBothRefs = entry.bankRef !== '' && body.bankRef !== ''
  if (hasBothRefs || body.entry !== entry.fingerprint || body.day !== entry.day) return undefined
  const known = textIn(body, 'transferId')
  if (known !== '' && transferId !== '' && known !== transferId) return undefined
  const page = textIn(body, 'page')
  const isOtherPage = page !== '' && statement.page !== '' && page !== statement.page
  if (body.statement === statementKey(statement)) return !isOtherPage || undefined
  // Pages of one statement may have different keys, because the key contains the day of the closing balance.
  if (isOtherPage && body.id === statement.id) return undefined
  const [before, own] = [periodIn(body), periodOf(statement)]
  const isWithin = isCovered(before, own, periods)
  if (isWithin === true) return true
  const hasNumbers = body.sequence !== '' && statement.sequence !== ''
  const isSameNumber = hasNumbers && Number(body.sequence) === Number(statement.sequence)
  // Different sequence numbers do not prove different bookings: longer statements, for example monthly, may have their
  // own numbers. The match is certain only if the bank marks the statement as a copy, and the sequence numbers, if both
  // exist, are equal.
  if (isWithin === undefined || (overlaps(own, before) && !isBeside(before, own)))
    return statement.isCopy && (isSameNumber || !hasNumbers)
  // Both entries have the same day. So if the sequence numbers are equal, both statements are the same statement. Its
  // pages differ only if both have a page number, because a copy may lack the page number.
  if (hasNumbers) return (!isOtherPage && isSameNumber) || undefined
  if (isBeside(before, own)) return undefined
  return statement.isCopy
}

/**
 * True if one statement contains every booking of the other. Undefined if that cannot be decided. A statement that
 * covers any known statement is of a longer kind, for example monthly, because consecutive statements of one kind do
 * not cover each other.
 */
function isCovered(one: Period, other: Period, periods: readonly Period[]): boolean | undefined {
  const long = mayCover(one, other) ? one : mayCover(other, one) ? other : undefined
  if (long === undefined) return covers(one, other) || covers(other, one)
  return periods.some((period) => covers(long, period)) || undefined
}

/**
 * True if the statements may be consecutive: one begins with the balance with which the other ends, and their opening
 * balances differ.
 */
function isBeside(before: Period, { opening, closing }: Period): boolean {
  if (opening === '' || closing === '' || before.opening === '') return false
  return before.opening !== opening && (before.closing === opening || before.opening === closing)
}
