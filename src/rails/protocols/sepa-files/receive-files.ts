// What a statement or a notification changes: payments get deposits, and our own transfers are settled or returned.
import type { Money } from '../../base/money.ts'
import type { Tell } from '../alarms.ts'
import type { ChannelStore, RecordChange } from '../store.ts'
import { type Changes, NOTHING } from './add-credits.ts'
import { type Source, toSource } from './alike.ts'
import type { Entry, Part, Statement } from './camt.ts'
import type { Credit, ReadLine } from './credit-records.ts'
import { type CreditDeps, countCredits, findPayment, partsOf } from './credits.ts'
import { keysOf } from './entry-keys.ts'
import { findMessageById } from './send-round.ts'
import {
  bookedAs,
  factOf,
  isSame,
  misbookedAlarms,
  moneyBody,
  readTransfer,
  shown,
  type Transfer,
} from './transfers.ts'

/** Entries that share a write. Each one's changes are in one write. */
const ENTRIES_AT_ONCE = 50

/** Only booked entries count: others may never be booked. `doubt` is about what the table must not book. */
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
    // A booking must see what an earlier one under the same reference changed.
    if (unwritten.has(name) || unwritten.size === ENTRIES_AT_ONCE) await flush()
    const changes = await readEntry(deps, source, entry, key)
    unwritten.set(name, changes)
    lines.push(...changes.lines)
  }
  await flush()
  return lines
}

function readEntry(
  deps: CreditDeps,
  source: Source,
  entry: Entry,
  key: string | undefined,
): Promise<Changes> {
  return entry.isCredit ? readCredit(deps, source, entry, key) : readDebit(deps, entry, key)
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
    // Less than the whole is not a return of it.
    if (isBack && transfer !== undefined && isSame(transfer.money, money)) {
      const { reference } = transfer
      facts.push({ add: factOf(reference, 'returned', { reason: part?.returnReason ?? '' }) })
      returned.push(reference)
      credits.push({ money, part, reference: undefined, returned: reference })
    } else {
      // Other money of ours that came back is nobody's payment, although the text of a refund names one.
      const isOurs = isBack || transfer !== undefined
      credits.push({ money, part, reference: isOurs ? undefined : await findPayment(deps, part) })
    }
  }
  const counted = key === undefined ? NOTHING : await countCredits(deps, { source, entry, key }, credits)
  return { ...counted, records: [...facts, ...counted.records], ask: [...returned, ...counted.ask] }
}

function isReturn(entry: Entry, part: Part | undefined): boolean {
  return entry.isReturn || entry.isReversal || part?.isReturn === true
}

async function readDebit(deps: CreditDeps, entry: Entry, key: string | undefined): Promise<Changes> {
  const booked = await bookedBy(deps.store, entry)
  // A return of our transfer may be taken back, too.
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

/** A reversal, or the return of what somebody had sent us: banks mark either. */
function isTakenBack(entry: Entry): boolean {
  return entry.isReversal || entry.isReturn || entry.parts.some((part) => part.isReturn)
}

async function takenBack(deps: CreditDeps, entry: Entry, booking: string): Promise<Changes> {
  // Banks may book it under the reference of the credit, which may be held under that key.
  const key = `${booking} taken back`
  // A statement repeats what a notification has reported.
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

/** Our transfers that the debit pays: by their references, or all of a message that was booked as one sum. */
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

/** Some banks add their charges to the entry; its details have the amount of the transfer itself. */
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
