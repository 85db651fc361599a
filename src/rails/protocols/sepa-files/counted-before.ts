// Finds credits that were counted before under another name: a bank may leave its reference out of one kind of file, change it, or
// send a statement again under another id.
//
// Invariant: each counted credit has a record for each kind of file that lists it. A statement lists every booking of its days once,
// so what one kind of file lists without the reference of the bank is a credit of the same day and amount that only the other
// kind has listed, and new only if there is none left. What cannot be decided is held, and an operator is asked.
import type { Money } from '../../base/money.ts'
import type { ChannelRecord, ChannelStore, RecordChange } from '../store.ts'
import { type Entry, type Statement, statementKey } from './camt.ts'
import { covers, mayCover, overlaps, type Period, periodIn, periodOf } from './period.ts'
import { listStatements } from './statement-chain.ts'
import { shown, textIn } from './transfers.ts'

/** The file that is being read. */
export type Source = {
  readonly statement: Statement
  /** The bookings in it: none of them is a credit that another entry of it repeats. */
  readonly keys: ReadonlySet<string | undefined>
  /** Credits that its entries were found to repeat, each by one. */
  readonly taken: Set<string>
  /** Transfers of ours that came back in it. */
  readonly returned: Set<string>
  /**
   * What was counted before it, as it was looked up: once per file, however many equal credits it lists. What the file itself
   * adds is no answer to its own entries, so nothing is read again.
   */
  readonly counted: Map<string, readonly Counted[]>
  /** Of the account's statements so far. */
  readonly periods: readonly Period[]
}

/** Part of an entry. */
export type Listed = {
  readonly money: Money
  /** The payment, or the transfer of ours that came back; '' if it names none. */
  readonly name: string
  /** Of the transfer, by the banks; '' if the file has none. */
  readonly transferId: string
  /** It has a text. Otherwise it may name a payment that the file leaves out. */
  readonly hasDetails: boolean
}

/** A counted credit that a part repeats, certainly or perhaps. */
export type Twin = { readonly credit: string; readonly name: string; readonly isCertain: boolean }

type Counted = {
  readonly credit: string
  readonly records: readonly ChannelRecord[]
}

const LISTED = 'listed'
/** The same, to be found by the payment. */
const LISTED_FOR = 'listed for'
const DAY_MS = 86_400_000
/** A statement may date a booking otherwise than its announcement. */
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

/** That the file lists the credit; `day` is that of its first report. */
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
    /** Of the credit, which this file may not name. */
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

/** All credits of an amount and a day. */
function groupOf(iban: string, day: string, money: Money): string {
  return `${iban} ${day} ${shown(money)}`
}

/** All credits of an amount for a payment. */
function paymentGroupOf(name: string, money: Money): string {
  return `${name} ${shown(money)}`
}

/** For each part, in order. */
export async function findTwins(
  store: ChannelStore,
  source: Source,
  entry: Entry,
  parts: readonly Listed[],
): Promise<(Twin | undefined)[]> {
  const twins: (Twin | undefined)[] = []
  for (const part of parts) {
    const twin = await findTwin(store, source, entry, part)
    // What is only perhaps the same may certainly be that of a later entry.
    if (twin?.isCertain === true) source.taken.add(twin.credit)
    twins.push(twin)
  }
  return twins
}

/** Whether a transfer of ours that came back, by an entry that repeats no other, did so before: a bank may return it twice. */
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
  // Where the bank gives its reference, a booking of another day is another one.
  for (const after of entry.bankRef === '' ? NEAR_DAYS : [0]) {
    const day = new Date(Date.parse(entry.day) + after * DAY_MS).toISOString().slice(0, 10)
    const counted = await listCounted(store, source, LISTED, groupOf(iban, day, part.money))
    const found = bestOf(counted, source, entry, part)
    if (found !== undefined) return found
  }
  if (part.name === '') return undefined
  const all = await listCounted(store, source, LISTED_FOR, paymentGroupOf(part.name, part.money))
  // On any day, if one of both has no reference of the bank, or it is one transfer.
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

/** A credit's key is its booking's, or begins with it. */
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
      : // Two references of one transfer: the bank must say whether it booked it twice.
        (isRepeated(inSameKind, source, entry, part) ?? (isSameTransfer(records, part) ? false : undefined))
  return isCertain === undefined ? undefined : { credit, name, isCertain }
}

function isSameTransfer(records: readonly ChannelRecord[], { name, transferId }: Listed): boolean {
  if (name === '' || transferId === '') return false
  return records.some(({ body }) => body.name === name && body.transferId === transferId)
}

/** A credit that only the other kind of file has listed. Undefined if it is another one. */
function isAnnounced({ body }: ChannelRecord, entry: Entry, { name, transferId, hasDetails }: Listed) {
  const known = { name: textIn(body, 'name'), transferId: textIn(body, 'transferId') }
  const hasBothRefs = entry.bankRef !== '' && body.bankRef !== ''
  const isSameName = known.name === name
  if (!isSameName && (hasBothRefs || (known.name !== '' && name !== ''))) return undefined
  if (known.transferId !== '' && transferId !== '') return known.transferId === transferId || undefined
  // Without a name, equal amounts of different days are nothing alike.
  if (body.day !== entry.day) return isSameName && name !== '' ? false : undefined
  if (!isSameName && name === '' && hasDetails) return undefined
  return !hasBothRefs
}

/** A credit that the same kind of file has listed. The bank's own references tell bookings apart. */
function isRepeated({ body }: ChannelRecord, source: Source, entry: Entry, { transferId }: Listed) {
  const { statement, periods } = source
  const hasBothRefs = entry.bankRef !== '' && body.bankRef !== ''
  if (hasBothRefs || body.entry !== entry.fingerprint || body.day !== entry.day) return undefined
  const known = textIn(body, 'transferId')
  if (known !== '' && transferId !== '' && known !== transferId) return undefined
  const page = textIn(body, 'page')
  const isOtherPage = page !== '' && statement.page !== '' && page !== statement.page
  if (body.statement === statementKey(statement)) return !isOtherPage || undefined
  // Only the last page may have the closing balance, whose day is in the statement's key.
  if (isOtherPage && body.id === statement.id) return undefined
  const [before, own] = [periodIn(body), periodOf(statement)]
  const isWithin = isCovered(before, own, periods)
  if (isWithin === true) return true
  const hasNumbers = body.sequence !== '' && statement.sequence !== ''
  const isSameNumber = hasNumbers && Number(body.sequence) === Number(statement.sequence)
  // Nothing decides it: neither another number nor the same one, as the longer statements may have numbers of their own.
  if (isWithin === undefined || (overlaps(own, before) && !isBeside(before, own)))
    return statement.isCopy && (isSameNumber || !hasNumbers)
  // Numbers begin again every year, but the entry has the same day. The statement may have come in pages, or whole.
  if (hasNumbers) return (!isOtherPage && isSameNumber) || undefined
  if (isBeside(before, own)) return undefined
  return statement.isCopy
}

/**
 * Whether one of both lists all bookings of the other one. Undefined if it may. That it is of a longer kind is sure if it covers
 * any statement: those that follow each other do not.
 */
function isCovered(one: Period, other: Period, periods: readonly Period[]): boolean | undefined {
  const long = mayCover(one, other) ? one : mayCover(other, one) ? other : undefined
  if (long === undefined) return covers(one, other) || covers(other, one)
  return periods.some((period) => covers(long, period)) || undefined
}

/** Whether one statement begins where the other one ends. */
function isBeside(before: Period, { opening, closing }: Period): boolean {
  if (opening === '' || closing === '' || before.opening === '') return false
  return before.opening !== opening && (before.closing === opening || before.opening === closing)
}
