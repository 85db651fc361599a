// What a statement or a notification changes: payments get deposits, and our own transfers are settled or returned.
import type { ChannelStore, RecordChange } from '../store.ts'
import type { Entry, Part, Statement } from './camt.ts'
import {
  type Changes,
  type Credit,
  type CreditDeps,
  countCredits,
  entryKey,
  findPayment,
  NOTHING,
  partsOf,
  shown,
} from './credits.ts'
import { findMessageById } from './send-round.ts'
import { factOf, moneyBody, readTransfer, type Transfer } from './transfers.ts'

/** Entries that share a write. Each one's changes are in one write. */
const ENTRIES_AT_ONCE = 50

/** A line for `tollgate reconcile`. */
export type ReadLine = {
  readonly reference: string
  readonly type: 'payment' | 'refund' | 'payout'
  readonly amount: bigint
  readonly currency: string
  readonly day: string
}

export type Received = { readonly lines: readonly ReadLine[]; readonly alarms: readonly string[] }

type EntryResult = { readonly changes: Changes; readonly lines: readonly ReadLine[] }

/** Only booked entries count: others may never be booked. */
export async function receiveStatement(deps: CreditDeps, statement: Statement): Promise<Received> {
  const booked = statement.entries
    .map((entry, position) => ({ entry, position }))
    .filter(({ entry }) => entry.isBooked)
  const results: EntryResult[] = []
  let unwritten = new Map<string, Changes>()
  const flush = async () => {
    const changes = [...unwritten.values()]
    unwritten = new Map()
    const records = changes.flatMap((one) => one.records)
    const ask = new Set(changes.flatMap((one) => one.ask))
    if (records.length > 0) await deps.store.write(records, [...ask])
  }
  for (const { entry, position } of booked) {
    const key = entryKey(statement, entry, position)
    const name = key ?? String(position)
    // A booking must see what an earlier one under the same reference changed.
    if (unwritten.has(name) || unwritten.size === ENTRIES_AT_ONCE) await flush()
    const result = await readEntry(deps, entry, key)
    unwritten.set(name, result.changes)
    results.push(result)
  }
  await flush()
  return {
    lines: results.flatMap((one) => one.lines),
    alarms: results.flatMap(({ changes }) => changes.alarms),
  }
}

function readEntry(deps: CreditDeps, entry: Entry, key: string | undefined): Promise<EntryResult> {
  return entry.isCredit ? readCredit(deps, entry, key) : readDebit(deps, entry, key)
}

async function readCredit(deps: CreditDeps, entry: Entry, key: string | undefined): Promise<EntryResult> {
  const records: RecordChange[] = []
  const returned: string[] = []
  const credits: Credit[] = []
  for (const { money, part } of partsOf(entry)) {
    const transfer =
      part && isReturn(entry, part) ? await readTransfer(deps.store, part.endToEndId) : undefined
    // Less than the whole is not a return of it.
    if (transfer !== undefined && transfer.money.amount === money.amount) {
      records.push({ add: factOf(transfer.reference, 'returned', { reason: part?.returnReason ?? '' }) })
      returned.push(transfer.reference)
    } else credits.push({ money, part, reference: await findPayment(deps, part) })
  }
  const counted = key === undefined ? NOTHING : await countCredits(deps, entry, key, credits)
  return {
    changes: {
      records: [...records, ...counted.records],
      ask: [...returned, ...counted.ask],
      alarms: counted.alarms,
    },
    lines: credits.map(({ money, reference }, at) => ({
      reference: reference ?? `${key}${credits.length > 1 ? ` ${at + 1}` : ''}`,
      type: 'payment',
      ...money,
      day: entry.day,
    })),
  }
}

function isReturn(entry: Entry, part: Part): boolean {
  return entry.isReturn || entry.isReversal || part.returnReason !== undefined
}

async function readDebit(deps: CreditDeps, entry: Entry, key: string | undefined): Promise<EntryResult> {
  const settled = await settledBy(deps.store, entry)
  const isTakenBack = entry.isReversal && settled.length === 0 && key !== undefined
  const body = { ...moneyBody(entry.money), day: entry.day, isTakenBack: true }
  return {
    changes: {
      records: [
        ...settled.map(({ reference, money }) => ({ add: factOf(reference, 'settled', moneyBody(money)) })),
        ...(isTakenBack ? [{ add: { kind: 'unmatched', key, body } }] : []),
      ],
      ask: settled.filter(({ facts }) => facts.settled === undefined).map(({ reference }) => reference),
      alarms: isTakenBack ? [`the bank took back ${shown(entry.money)} on ${entry.day}`] : [],
    },
    lines: settled.map(({ reference, purpose, money }) => ({
      reference,
      type: purpose,
      ...money,
      day: entry.day,
    })),
  }
}

/** Our transfers that the debit pays: by their references, or all of a message that was booked as one sum. */
async function settledBy(store: ChannelStore, entry: Entry): Promise<Transfer[]> {
  const settled: Transfer[] = []
  for (const { money, part } of partsOf(entry)) {
    const transfer = part && (await readTransfer(store, part.endToEndId))
    if (transfer !== undefined) settled.push({ ...transfer, money })
    else settled.push(...(await settledTogether(store, money.amount, part)))
  }
  return settled
}

async function settledTogether(
  store: ChannelStore,
  amount: bigint,
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
    if (found.reduce((sum, { money }) => sum + money.amount, 0n) === amount) return found
  }
  return []
}
