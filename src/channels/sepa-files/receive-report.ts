// What the bank's answer to a message changes.
import type { Money } from '../../base/money.ts'
import type { Tell } from '../alarms.ts'
import type { ChannelStore, RecordChange } from '../store.ts'
import { meaningOf, type ReportedTransfer, type StatusReport } from './pain-002.ts'
import { findMessageById } from './send-round.ts'
import { bookedAs, factOf, misbookedAlarms, readTransfer, type Transfer } from './transfers.ts'

/** Answers about the messages of other programs are ignored. */
export async function receiveReport(store: ChannelStore, report: StatusReport, tell: Tell): Promise<void> {
  const records: RecordChange[] = []
  const ask: string[] = []
  for (const reported of await reportedBy(store, report)) {
    const transfer = await readTransfer(store, reported.endToEndId)
    if (transfer === undefined) continue
    const [answered, ...facts] = changesOf(transfer, reported)
    if (facts.length > 0) ask.push(transfer.reference)
    const alarms = isSettled(transfer, reported)
      ? misbookedAlarms(transfer, amountOf(transfer, reported))
      : []
    for (const alarm of alarms) tell(alarm)
    records.push(answered, ...facts)
  }
  if (records.length > 0) await store.write(records, ask)
}

/** Those that the report lists, and the rest of the message if it has a status of its own. */
async function reportedBy(store: ChannelStore, report: StatusReport): Promise<readonly ReportedTransfer[]> {
  const { messageId, status, reason, transfers } = report
  if (status === '') return transfers
  const listed = new Set(transfers.map(({ endToEndId }) => endToEndId.toUpperCase()))
  const message = await findMessageById(store, messageId)
  const others = (message?.references ?? []).filter((reference) => !listed.has(reference))
  return [...transfers, ...others.map((endToEndId) => ({ endToEndId, status, reason, money: undefined }))]
}

/** The bank has the message, its group or the transfer already. That says nothing about the first one, which may be paid. */
const DUPLICATES = ['AM05', 'DU01', 'DU02', 'DU03', 'DU04', 'DU05', 'DUPL']

function changesOf(transfer: Transfer, reported: ReportedTransfer): [RecordChange, ...RecordChange[]] {
  const { reference } = transfer
  const { status, reason } = reported
  const isRejected = meaningOf(status) === 'rejected' && !DUPLICATES.includes(reason)
  return [
    { put: factOf(reference, 'answered', { status: status.slice(0, 4), reason }) },
    ...(isRejected ? [{ add: factOf(reference, 'rejected', { reason }) }] : []),
    ...(isSettled(transfer, reported) ? [{ add: bookedAs(transfer, amountOf(transfer, reported)) }] : []),
  ]
}

function isSettled({ facts }: Transfer, { status }: ReportedTransfer): boolean {
  const meaning = meaningOf(status)
  return meaning === 'credited' || (meaning === 'debited' && facts.filed?.isInstant === true)
}

function amountOf({ money }: Transfer, { money: repeated }: ReportedTransfer): Money {
  return repeated ?? money
}
