// The background work: a message with the transfers that wait, then the bank's files. What an operator must know is thrown at the
// end of the round, so that it is in the log; it never holds up other files.
import { formatAmount } from '../../base/money.ts'
import type { Watcher } from '../protocol.ts'
import { isCamt, readCamt } from './camt.ts'
import type { CreditDeps, ReadLine } from './credits.ts'
import { openInbox } from './inbox.ts'
import { PAIN_002, readStatusReport } from './pain-002.ts'
import { receiveReport } from './receive-report.ts'
import { receiveStatement } from './receive-statement.ts'
import { type SendDeps, sendRound } from './send-round.ts'
import { linkStatement } from './statement-chain.ts'
import { BadFile, readMessage, type XmlElement } from './xml.ts'

export type WatchDeps = SendDeps & CreditDeps & { readonly in: string }

/** A file is read at the second look that finds it unchanged. */
const EVERY_MS = 2_000

type ReadFile = { readonly alarms: readonly string[]; readonly lines?: readonly ReadLine[] }

export function createWatcher(deps: WatchDeps): Watcher {
  const inbox = openInbox(deps.in)

  /** What the operator must know about the file. */
  async function receive(name: string): Promise<string[]> {
    try {
      const bytes = await inbox.read(name)
      if (bytes === undefined) return []
      const { alarms, lines } = await readFile(deps, bytes)
      const table = await inbox.done(name, lines && toCsv(lines))
      const advice =
        table === undefined ? '' : ` (tollgate reconcile --channel ${deps.channel} --file ${table})`
      return alarms.map((alarm) => `${name}: ${alarm}${advice}`)
    } catch (error) {
      if (!(error instanceof BadFile)) throw error
      await inbox.bad(name, error.message)
      return [`${name} ${error.message}; it was moved to bad`]
    }
  }

  return {
    everyMs: EVERY_MS,
    async work(signal) {
      const problems: unknown[] = []
      const attempt = (work: Promise<readonly string[]>) =>
        work.then((told) => problems.push(...told)).catch((error: unknown) => problems.push(error))
      await attempt(sendRound(deps, signal).then(() => []))
      const names = await inbox.claim()
      for (const name of names) if (!signal.aborted) await attempt(receive(name))
      if (problems.length > 0) throw asError(problems)
    },
  }
}

function asError(problems: readonly unknown[]): Error {
  const cause = problems.find((problem) => problem instanceof Error)
  const told = problems.map((problem) => (problem instanceof Error ? problem.message : String(problem)))
  return new Error(told.join('; '), { cause })
}

async function readFile(deps: WatchDeps, bytes: Buffer): Promise<ReadFile> {
  const { name, message } = readMessage(bytes)
  if (name === PAIN_002) {
    return { alarms: await receiveReport(deps.store, readStatusReport(message)) }
  }
  if (isCamt(name)) return readStatements(deps, name, message)
  throw new BadFile(`is a message ${name.slice(0, 40)}, not a pain.002, camt.053 or camt.054`)
}

/** Other accounts of the same file are not ours to count. */
async function readStatements(
  deps: WatchDeps,
  name: Parameters<typeof readCamt>[0],
  message: XmlElement,
): Promise<ReadFile> {
  const ours = readCamt(name, message).filter(({ iban }) => iban === deps.account.iban)
  if (ours.length === 0) throw new BadFile('is about other accounts')
  const lines: ReadLine[] = []
  const alarms: string[] = []
  for (const statement of ours) {
    const received = await receiveStatement(deps, statement)
    alarms.push(...received.alarms, ...(await linkStatement(deps.store, statement)))
    if (statement.kind === 'statement') lines.push(...received.lines)
  }
  return name === 'BkToCstmrStmt' ? { alarms, lines } : { alarms }
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
