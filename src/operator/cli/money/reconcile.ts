import { createReadStream } from 'node:fs'
import { basename, resolve } from 'node:path'
import { CsvError } from '../base/csv.ts'
import { formatAmount, type Money } from '../base/money.ts'
import { OperatorRefusal } from '../errors/catalogue.ts'
import { fetchStatement } from '../reconciliation/fetch-statement.ts'
import { type Imported, importStatement } from '../reconciliation/import-statement.ts'
import type { Difference } from '../reconciliation/reconcile.ts'
import { isDay, readStatement, type StatementLine } from '../reconciliation/statement-line.ts'
import { commandActor } from './actor.ts'
import { type Command, UsageError } from './command.ts'
import { connectionNamed } from './connection-named.ts'
import { plain, section } from './print.ts'

const reconcileCommand: Command = {
  name: 'reconcile',
  summary: "Compare a channel's statement with our records, and book unmatched money to suspense",
  audit: ({ given }) => ({ merNo: 0, subject: given.text('channel') ?? 'card' }),
  options: {
    channel: { value: 'NAME', help: 'the channel that sent the statement (default: card)' },
    file: { value: 'FILE', help: 'CSV: reference,type,amount,currency,fee,date' },
    day: {
      value: 'YYYY-MM-DD',
      help: 'without a file: fetch the statement of this day (UTC) from the channel',
    },
  },
  async run({ given, tools }) {
    const channel = given.text('channel') ?? 'card'
    const [file, day] = [given.text('file'), given.text('day')]
    if ((file === undefined) === (day === undefined))
      throw new UsageError('give either --file or --day', reconcileCommand)
    if (day !== undefined && !isDay(day)) throw new OperatorRefusal('--day must be like 2026-01-31')
    const lines =
      day === undefined
        ? await readLines(file ?? '')
        : await fetchStatement(await connectionNamed(tools, channel), plain(channel), day)
    const db = await tools.database()
    const wanted = { channel, fileName: basename(file ?? `${channel} ${day}`), by: commandActor().name }
    const report = await importStatement({ db, clock: tools.clock }, wanted, lines)
    return { json: describe(report), text: inWords(report), status: report.different === 0 ? 0 : 1 }
  },
}

/** Reads the whole file first, so that a malformed one is refused before anything is booked. */
async function readLines(file: string): Promise<StatementLine[]> {
  const path = resolve(process.env.INIT_CWD ?? '', file)
  try {
    return await readStatement(createReadStream(path, { encoding: 'utf8' }))
  } catch (error) {
    if (error instanceof OperatorRefusal) throw new OperatorRefusal(`${file}, ${error.message}`)
    if (error instanceof CsvError) throw new OperatorRefusal(`${file}, ${error.message}`)
    throw new OperatorRefusal(`${file} cannot be read: ${error instanceof Error ? error.message : error}`)
  }
}

function describe({ days, differences, fees, otherChannels, ...report }: Imported) {
  return {
    ...report,
    from: days?.first ?? null,
    to: days?.last ?? null,
    fees: [...fees].map(([currency, amount]) => ({ currency, amount: formatAmount(amount, currency) })),
    otherChannels: [...otherChannels].map(([channel, lines]) => ({ channel, lines })),
    differences: differences.map(({ line, tradeNo, theirs, ours, ...rest }) => {
      return {
        ...rest,
        line: line ?? null,
        tradeNo: tradeNo ?? null,
        theirs: written(theirs),
        ours: written(ours),
      }
    }),
  }
}

function inWords(report: Imported): string {
  const { channel, days, lines, matched, different, booked, differences } = report
  const span = days === undefined ? 'no days' : `${days.first} to ${days.last}`
  const head = `${lines} lines of ${channel}, ${span}: ${matched} match, ${different} differences, ${booked} booked to suspense.`
  const others = [...report.otherChannels].map(([name, count]) => {
    return `${count} of them are payments of ${plain(name)}, not of ${channel}: they were compared and booked there.`
  })
  const summary = [head, ...others].join('\n')
  if (different === 0) return summary
  return `${summary}\n\n${section(`Differences${different > differences.length ? ' (the first)' : ''}`, differences.map(toRow))}`
}

function toRow({ kind, type, reference, line, tradeNo, theirs, ours }: Difference): string[] {
  const where = line === undefined ? '' : `line ${line}`
  const order = tradeNo ?? 'no order'
  const sums = [`theirs ${written(theirs) ?? '-'}`, `ours ${written(ours) ?? '-'}`]
  return [kind, type, plain(reference), order, ...sums, where]
}

function written(money: Money | undefined): string | null {
  return money === undefined ? null : `${formatAmount(money.amount, money.currency)} ${money.currency}`
}

export const reconcileCommands: readonly Command[] = [reconcileCommand]
