// What the bank's answer to a message changes.
import type { ChannelStore, RecordChange } from '../store.ts'
import { meaningOf, type ReportedTransfer, type StatusReport } from './pain-002.ts'
import { findMessageById } from './send-round.ts'
import { factOf, moneyBody, readTransfer, type Transfer } from './transfers.ts'

/** Answers about the messages of other programs are ignored. */
export async function receiveReport(store: ChannelStore, report: StatusReport): Promise<void> {
  const records: RecordChange[] = []
  for (const reported of await reportedBy(store, report)) {
    const transfer = await readTransfer(store, reported.endToEndId)
    if (transfer !== undefined) records.push(...changesOf(transfer, reported))
  }
  if (records.length > 0) await store.write(records)
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

function changesOf(
  { reference, money, facts }: Transfer,
  { status, reason, money: repeated }: ReportedTransfer,
): RecordChange[] {
  const meaning = meaningOf(status)
  const isSettled = meaning === 'credited' || (meaning === 'debited' && facts.filed?.isInstant === true)
  return [
    { put: factOf(reference, 'answered', { status: status.slice(0, 4), reason }) },
    ...(meaning === 'rejected' ? [{ add: factOf(reference, 'rejected', { reason }) }] : []),
    ...(isSettled ? [{ add: factOf(reference, 'settled', moneyBody(repeated ?? money)) }] : []),
  ]
}
