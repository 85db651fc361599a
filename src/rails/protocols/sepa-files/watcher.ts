// A round sends the queued transfers, then reads the bank's files. A bad file does not stop the other files.
import { formatAmount } from '../../../platform/base/money.ts'
import { whyOf } from '../../../platform/base/thrown.ts'
import type { Watcher } from '../../contract/protocol.ts'
import type { ChannelTools } from '../../contract/settings.ts'
import type { Tell } from '../../toolkit/alarms.ts'
import { isCamt, readCamt, type Statement } from './camt.ts'
import type { CreditDeps, ReadLine } from './credits.ts'
import { openInbox } from './inbox.ts'
import { PAIN_002, readStatusReport } from './pain-002.ts'
import { receiveReport, receiveStatement } from './receive-files.ts'
import { type SendDeps, sendRound } from './send-round.ts'
import { asKnown, linkStatement } from './statement-chain.ts'
import { BadFile, readMessage } from './xml.ts'

export type WatchDeps = SendDeps & CreditDeps & { readonly in: string; readonly alarm: ChannelTools['alarm'] }

/** The interval between two rounds. A file is read when two rounds in a row find it unchanged. */
const EVERY_MS = 2_000

export function createWatcher(deps: WatchDeps): Watcher {
  const { channel } = deps
  const inbox = openInbox(deps.in)

  async function receive(name: string): Promise<void> {
    const tell = (what: string) => deps.alarm(channel, `${name}${what}`)
    try {
      const bytes = await inbox.read(name)
      if (bytes === undefined) return
      const advice = ` (tollgate reconcile --channel ${channel} --file ${await inbox.tableOf(name)})`
      const lines = await readFile(deps, bytes, (what, hasTable) =>
        tell(`: ${what}${hasTable ? advice : ''}`),
      )
      await inbox.done(name, lines && toCsv(lines))
    } catch (error) {
      if (!(error instanceof BadFile)) throw error
      tell(` ${error.message}; it was moved to bad`)
      await inbox.bad(name, error.message)
    }
  }

  return {
    everyMs: EVERY_MS,
    async work(signal) {
      const errors: unknown[] = []
      const attempt = (work: Promise<void>) => work.catch((error: unknown) => errors.push(error))
      await attempt(sendRound(deps, signal))
      const names = await inbox.claim()
      for (const name of names) if (!signal.aborted) await attempt(receive(name))
      if (errors.length > 0) throw new Error(errors.map(whyOf).join('; '), { cause: errors[0] })
    },
  }
}

type TellOfFile = (what: string, hasTable: boolean) => void

/**
 * Records the contents of a bank's file. Returns the lines for `tollgate reconcile` if the file is a statement.
 * Undefined for other files.
 */
async function readFile(deps: WatchDeps, bytes: Buffer, tell: TellOfFile): Promise<ReadLine[] | undefined> {
  const { name, message } = readMessage(bytes)
  if (name === PAIN_002) {
    await receiveReport(deps.store, readStatusReport(message), (what) => tell(what, false))
    return undefined
  }
  if (isCamt(name)) {
    const hasTable = name === 'BkToCstmrStmt'
    const lines = await readStatements(deps, readCamt(name, message), {
      tell: (what) => tell(what, hasTable),
      doubt: (what) => tell(what, false),
    })
    return hasTable ? lines : undefined
  }
  throw new BadFile(`is a message ${name.slice(0, 40)}, not a pain.002, camt.053 or camt.054`)
}

/**
 * Records the statements of our account, and returns their lines. Statements of other accounts are skipped. Throws if
 * the file has no statement of our account.
 */
async function readStatements(
  deps: WatchDeps,
  statements: readonly Statement[],
  alarms: { readonly tell: Tell; readonly doubt: Tell },
): Promise<ReadLine[]> {
  const ours = statements.filter(({ iban }) => iban === deps.account.iban)
  if (ours.length === 0) throw new BadFile('is about other accounts')
  const lines: ReadLine[] = []
  for (const read of ours) {
    const statement = await asKnown(deps.store, read)
    const received = await receiveStatement(deps, statement, alarms)
    await linkStatement(deps.store, statement, alarms.tell)
    if (statement.kind === 'statement') lines.push(...received)
  }
  return lines
}

/**
 * Returns the table of a statement. `tollgate reconcile` reads this table, and books credits without a payment to
 * suspense.
 */
function toCsv(lines: readonly ReadLine[]): string {
  const rows = lines.map(({ id = '', reference, type, money: { amount, currency }, day }) =>
    [quote(reference), type, formatAmount(amount, currency), currency, '', day, quote(id)].join(),
  )
  return `${['reference,type,amount,currency,fee,date,id', ...rows].join('\n')}\n`
}

function quote(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
