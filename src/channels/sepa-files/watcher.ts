// The background work: a message with the transfers that wait, then the bank's files. What an operator must know is thrown at the
// end of the round, so that it is in the log; it never holds up other files.
import { formatAmount } from '../../base/money.ts'
import { createTeller, type Note, toAlarm } from '../alarms.ts'
import type { Watcher } from '../protocol.ts'
import { isCamt, readCamt, type Statement } from './camt.ts'
import type { CreditDeps, ReadLine } from './credits.ts'
import { openInbox } from './inbox.ts'
import { PAIN_002, readStatusReport } from './pain-002.ts'
import { receiveReport } from './receive-report.ts'
import { receiveStatement } from './receive-statement.ts'
import { type SendDeps, sendRound } from './send-round.ts'
import { linkStatement } from './statement-chain.ts'
import { textIn } from './transfers.ts'
import { BadFile, readMessage } from './xml.ts'

export type WatchDeps = SendDeps & CreditDeps & { readonly in: string }

/** A file is read at the second look that finds it unchanged. */
const EVERY_MS = 2_000

export function createWatcher(deps: WatchDeps): Watcher {
  const inbox = openInbox(deps.in)
  const tell = createTeller(deps.store)
  /** By the names of files. */
  const advice = new Map<string, string>()

  async function receive(name: string): Promise<void> {
    try {
      const bytes = await inbox.read(name)
      if (bytes === undefined) return
      const lines = await readFile(deps, bytes, (alarm) => toAlarm({ text: `${name}: ${alarm}`, file: name }))
      const table = await inbox.done(name, lines && toCsv(lines))
      if (table !== undefined)
        advice.set(name, ` (tollgate reconcile --channel ${deps.channel} --file ${table})`)
    } catch (error) {
      if (!(error instanceof BadFile)) throw error
      await deps.store.write([toAlarm({ text: `${name} ${error.message}; it was moved to bad` })])
      await inbox.bad(name, error.message)
    }
  }

  async function alarms(): Promise<readonly string[]> {
    const told = (await tell()).map((body) => textIn(body, 'text') + (advice.get(textIn(body, 'file')) ?? ''))
    advice.clear()
    return told
  }

  return {
    everyMs: EVERY_MS,
    async work(signal) {
      const problems: unknown[] = []
      const attempt = (work: Promise<void>) => work.catch((error: unknown) => problems.push(error))
      await attempt(sendRound(deps, signal))
      const names = await inbox.claim()
      for (const name of names) if (!signal.aborted) await attempt(receive(name))
      await attempt(alarms().then((told) => void problems.push(...told)))
      if (problems.length > 0) throw asError(problems)
    },
  }
}

function asError(problems: readonly unknown[]): Error {
  const cause = problems.find((problem) => problem instanceof Error)
  const told = problems.map((problem) => (problem instanceof Error ? problem.message : String(problem)))
  return new Error(told.join('; '), { cause })
}

/** The lines of a statement. */
async function readFile(deps: WatchDeps, bytes: Buffer, note: Note): Promise<ReadLine[] | undefined> {
  const { name, message } = readMessage(bytes)
  if (name === PAIN_002) {
    await receiveReport(deps.store, readStatusReport(message), note)
    return undefined
  }
  if (isCamt(name)) {
    const lines = await readStatements(deps, readCamt(name, message), note)
    return name === 'BkToCstmrStmt' ? lines : undefined
  }
  throw new BadFile(`is a message ${name.slice(0, 40)}, not a pain.002, camt.053 or camt.054`)
}

/** Other accounts of the same file are not ours to count. */
async function readStatements(
  deps: WatchDeps,
  statements: readonly Statement[],
  note: Note,
): Promise<ReadLine[]> {
  const ours = statements.filter(({ iban }) => iban === deps.account.iban)
  if (ours.length === 0) throw new BadFile('is about other accounts')
  const lines: ReadLine[] = []
  for (const statement of ours) {
    const received = await receiveStatement(deps, statement, note)
    await linkStatement(deps.store, statement, note)
    if (statement.kind === 'statement') lines.push(...received)
  }
  return lines
}

/** A statement as `tollgate reconcile` reads it, which books credits without a payment to suspense. */
function toCsv(lines: readonly ReadLine[]): string {
  const rows = lines.map(({ reference, type, money: { amount, currency }, day }) =>
    [quote(reference), type, formatAmount(amount, currency), currency, '', day].join(),
  )
  return `${['reference,type,amount,currency,fee,date', ...rows].join('\n')}\n`
}

function quote(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
