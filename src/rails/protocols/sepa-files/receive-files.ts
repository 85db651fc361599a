// Records the content of the bank's files. Credits become deposits of payments. Debits, returns and status reports
// decide the outcomes of our own transfers.
import type { Money } from '../../../platform/base/money.ts'
import type { ChannelStore, RecordChange } from '../../contract/store.ts'
import type { Tell } from '../../toolkit/alarms.ts'
import { moneyBody } from '../../toolkit/records/money.ts'
import type { Entry, Part, Statement } from './camt.ts'
import { type Source, toSource } from './counted-before.ts'
import {
  type Changes,
  type Credit,
  type CreditDeps,
  countCredits,
  findPayment,
  NOTHING,
  partsOf,
  type ReadLine,
} from './credits.ts'
import { keysOf } from './entry-keys.ts'
import { meaningOf, type ReportedTransfer, type StatusReport } from './pain-002.ts'
import { findMessageById } from './send-round.ts'
import { bookedAs, factOf, isSame, misbookedAlarms, readTransfer, shown, type Transfer } from './transfers.ts'

/** The maximum number of entries per write. All changes of one entry are in the same write. */
const ENTRIES_AT_ONCE = 50

/**
 * Records the booked entries, and returns their lines for `tollgate reconcile`. Pending entries are skipped, because
 * they may never be booked. `tell` raises an alarm that may advise the operator to book the table. `doubt` raises an
 * alarm without this advice, for example about money that is held because it may have been counted before.
 */
export async function receiveStatement(
  deps: CreditDeps,
  statement: Statement,
  { tell, doubt }: { readonly tell: Tell; readonly doubt: Tell },
): Promise<ReadLine[]> {
  const booked = statement.entries
    .map((entry, position) => ({ entry, position }))
    .filter(({ entry }) => entry.isBooked && entry.money.amount > 0n)
  const lines: ReadLine[] = []
  let unwritten = new Map<string, Changes>()
  const flush = async () => {
    const changes = [...unwritten.values()]
    unwritten = new Map()
    for (const alarm of changes.flatMap((one) => one.alarms)) tell(alarm)
    for (const alarm of changes.flatMap((one) => one.doubts ?? [])) doubt(alarm)
    const records = changes.flatMap((one) => one.records)
    const ask = new Set(changes.flatMap((one) => one.ask))
    if (records.length > 0) await deps.store.write(records, [...ask])
  }
  const keys = await keysOf(deps, statement, booked)
  const source = await toSource(deps.store, statement, keys.values())
  for (const { entry, position } of booked) {
    const key = keys.get(position)
    const name = key ?? String(position)
    // The changes of an earlier entry with the same key are written first, because this entry depends on them.
    if (unwritten.has(name) || unwritten.size === ENTRIES_AT_ONCE) await flush()
    const changes = entry.isCredit
      ? await readCredit(deps, source, entry, key)
      : await readDebit(deps, entry, key)
    unwritten.set(name, changes)
    lines.push(...changes.lines)
  }
  await flush()
  return lines
}

async function readCredit(
  deps: CreditDeps,
  source: Source,
  entry: Entry,
  key: string | undefined,
): Promise<Changes> {
  const facts: RecordChange[] = []
  const returned: string[] = []
  const credits: Credit[] = []
  for (const { money, part } of partsOf(entry)) {
    const transfer = part && (await readTransfer(deps.store, part.endToEndId))
    const isBack = isReturn(entry, part)
    if (isBack && transfer !== undefined && (await isItsReturn(deps.store, transfer, money, key))) {
      const { reference } = transfer
      const body = { ...moneyBody(money), reason: part?.returnReason ?? '' }
      facts.push({ add: factOf(reference, 'returned', body) })
      returned.push(reference)
      credits.push({ money, part, reference: undefined, returned: reference })
    } else {
      // Any other money that comes back is no payment, even if its text names one: the text of a refund names the
      // refunded payment.
      const isOurs = isBack || transfer !== undefined
      credits.push({ money, part, reference: isOurs ? undefined : await findPayment(deps, part) })
    }
  }
  const counted = key === undefined ? NOTHING : await countCredits(deps, { source, entry, key }, credits)
  return { ...counted, records: [...facts, ...counted.records], ask: [...returned, ...counted.ask] }
}

/**
 * True if the credit must be recorded as the return of the transfer. False for a partial return that an earlier version
 * counted as an unmatched credit, because an operator handles this credit.
 */
async function isItsReturn(
  store: ChannelStore,
  { money: sent, facts }: Transfer,
  money: Money,
  key: string | undefined,
): Promise<boolean> {
  if (isSame(sent, money) || facts.returned !== undefined || key === undefined) return true
  return (await store.find({ kind: 'entry', key })) === undefined
}

function isReturn(entry: Entry, part: Part | undefined): boolean {
  return entry.isReturn || entry.isReversal || part?.isReturn === true
}

async function readDebit(deps: CreditDeps, entry: Entry, key: string | undefined): Promise<Changes> {
  const booked = await bookedBy(deps.store, entry)
  // If all our transfers that the debit names have been returned, the debit may reverse such a return.
  const isOpen = booked.some(({ transfer }) => transfer.facts.returned === undefined)
  if (!isOpen && key !== undefined && isTakenBack(entry)) return takenBack(deps, entry, key)
  const settled = booked.filter(({ transfer, money }) => isSame(transfer.money, money))
  return {
    records: booked.map(({ transfer, money }) => ({ add: bookedAs(transfer, money) })),
    ask: settled.flatMap(({ transfer: { reference, facts } }) =>
      facts.settled === undefined ? reference : [],
    ),
    alarms: booked.flatMap(({ transfer, money }) => misbookedAlarms(transfer, money)),
    lines: booked.map(({ transfer: { reference, purpose: type }, money }) => {
      return { reference, type, money, day: entry.day }
    }),
  }
}

/**
 * True if the bank marks the debit as the reversal of a credit, or as the return of money that somebody had sent us.
 */
function isTakenBack(entry: Entry): boolean {
  return entry.isReversal || entry.isReturn || entry.parts.some((part) => part.isReturn)
}

async function takenBack(deps: CreditDeps, entry: Entry, booking: string): Promise<Changes> {
  // Banks may use the same reference for the credit and the debit, so the debit's key has a suffix.
  const key = `${booking} taken back`
  // The debit may be known already, because a statement repeats the entries of a notification.
  if ((await deps.store.find({ kind: 'unmatched', key })) !== undefined) return NOTHING
  const body = { ...moneyBody(entry.money), day: entry.day, isTakenBack: true }
  const paid = await Promise.all(entry.parts.map((part) => findPayment(deps, part)))
  const named = paid.filter((reference) => reference !== undefined)
  const whose = named.length === 0 ? '' : ` of ${named.join(', ')}`
  return {
    ...NOTHING,
    records: [{ add: { kind: 'unmatched', key, body } }],
    alarms: [`the bank took back ${shown(entry.money)}${whose} on ${entry.day}`],
  }
}

type Booked = { readonly transfer: Transfer; readonly money: Money }

/**
 * Returns our transfers that the debit pays. The debit names the transfers by their references. If the bank booked a
 * whole message as one sum, the debit names the id of the message.
 */
async function bookedBy(store: ChannelStore, entry: Entry): Promise<Booked[]> {
  const booked: Booked[] = []
  for (const { money, part } of partsOf(entry)) {
    const transfer = part && (await readTransfer(store, part.endToEndId))
    if (transfer !== undefined) booked.push({ transfer, money: withoutCharges(transfer, money, part) })
    else
      for (const one of await settledTogether(store, money, part))
        booked.push({ transfer: one, money: one.money })
  }
  return booked
}

/**
 * Returns the booked amount without the bank's charges. Some banks add their charges to the amount of the entry, and
 * give the transfer's amount in the details.
 */
function withoutCharges({ money }: Transfer, booked: Money, part: Part | undefined): Money {
  return part?.money !== undefined && isSame(part.money, money) ? money : booked
}

async function settledTogether(
  store: ChannelStore,
  booked: Money,
  part: Part | undefined,
): Promise<Transfer[]> {
  for (const id of part?.messageIds ?? []) {
    const message = await findMessageById(store, id)
    if (message === undefined) continue
    const found: Transfer[] = []
    for (const reference of message.references) {
      const transfer = await readTransfer(store, reference)
      if (transfer !== undefined && transfer.facts.rejected === undefined) found.push(transfer)
    }
    const amount = found.reduce((sum, { money }) => sum + money.amount, 0n)
    if (found.length > 0 && found.every(({ money }) => isSame({ ...money, amount }, booked))) return found
  }
  return []
}

// Status reports (pain.002).

/** Records a status report of the bank. Reports about messages of other programs are ignored. */
export async function receiveReport(store: ChannelStore, report: StatusReport, tell: Tell): Promise<void> {
  const records: RecordChange[] = []
  const ask: string[] = []
  for (const reported of await reportedBy(store, report)) {
    const transfer = await readTransfer(store, reported.endToEndId)
    if (transfer === undefined) continue
    const [answered, ...facts] = changesOf(transfer, reported)
    if (facts.length > 0) ask.push(transfer.reference)
    const alarms = isSettled(transfer, reported)
      ? misbookedAlarms(transfer, reported.money ?? transfer.money)
      : []
    for (const alarm of alarms) tell(alarm)
    records.push(answered, ...facts)
  }
  if (records.length > 0) await store.write(records, ask)
}

/** Returns the listed transfers and, if the report has a status of the whole message, the message's other transfers. */
async function reportedBy(store: ChannelStore, report: StatusReport): Promise<readonly ReportedTransfer[]> {
  const { messageId, status, reason, transfers } = report
  if (status === '') return transfers
  const listed = new Set(transfers.map(({ endToEndId }) => endToEndId.toUpperCase()))
  const message = await findMessageById(store, messageId)
  const others = (message?.references ?? []).filter((reference) => !listed.has(reference))
  return [...transfers, ...others.map((endToEndId) => ({ endToEndId, status, reason, money: undefined }))]
}

/**
 * Reason codes of duplicates: the bank already has the message, the group or the transfer. Such a rejection does not
 * decide the transfer, because the original may be paid.
 */
const DUPLICATES = ['AM05', 'DU01', 'DU02', 'DU03', 'DU04', 'DU05', 'DUPL']

function changesOf(transfer: Transfer, reported: ReportedTransfer): [RecordChange, ...RecordChange[]] {
  const { reference } = transfer
  const { status, reason } = reported
  const isRejected = meaningOf(status) === 'rejected' && !DUPLICATES.includes(reason)
  return [
    { put: factOf(reference, 'answered', { status: status.slice(0, 4), reason }) },
    ...(isRejected ? [{ add: factOf(reference, 'rejected', { reason }) }] : []),
    ...(isSettled(transfer, reported) ? [{ add: bookedAs(transfer, reported.money ?? transfer.money) }] : []),
  ]
}

function isSettled({ facts }: Transfer, { status }: ReportedTransfer): boolean {
  const meaning = meaningOf(status)
  return meaning === 'credited' || (meaning === 'debited' && facts.filed?.isInstant === true)
}
