import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import type { Difference } from '../../../money/reconciliation/compare-lines.ts'
import { fetchStatement, importStatement } from '../../../money/reconciliation/import-statement.ts'
import type { Report } from '../../../money/reconciliation/reconcile.ts'
import { isDay, readStatement, type StatementLine } from '../../../money/reconciliation/statement-line.ts'
import { CsvError } from '../../../platform/base/csv.ts'
import { formatAmount, type Money } from '../../../platform/base/money.ts'
import { OperatorRefusal } from '../../../platform/errors/catalogue.ts'
import { type Command, UsageError } from '../command.ts'
import { commandActor } from '../shared/actor.ts'
import { connectionNamed } from '../shared/connection-named.ts'
import { plain, section, sumOf } from '../shared/print.ts'
import { typedPath } from '../shared/read-input.ts'

const reconcileCommand: Command = {
  name: 'reconcile',
  summary: "Compare a channel's statement with our records, and book unmatched money to suspense",
  audit: ({ given }) => ({ merNo: 0, subject: given.text('channel') ?? 'card' }),
  options: {
    channel: { value: 'NAME', help: 'the channel that sent the statement (default: card)' },
    file: { value: 'FILE', help: 'CSV: reference,type,amount,currency,fee,date and perhaps id' },
    day: {
      value: 'YYYY-MM-DD',
      help: 'without a file: fetch the statement of this day (UTC) from the channel',
    },
    replaces: {
      value: 'STATEMENT',
      help: 'the id of an earlier statement that this one corrects: lines that only the earlier one lists are withdrawn',
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
    const replaces = given.text('replaces')
    const fileName = basename(file ?? `${channel} ${day}`)
    const wanted = { channel, fileName, by: commandActor().name, day, replaces }
    const report = await importStatement({ db, clock: tools.clock }, wanted, lines)
    return { json: describe(report), text: inWords(report), status: report.different === 0 ? 0 : 1 }
  },
}

/** Reads all lines of the file, so that a malformed file is refused before anything is booked. */
async function readLines(file: string): Promise<StatementLine[]> {
  try {
    return await readStatement(createReadStream(typedPath(file), { encoding: 'utf8' }))
  } catch (error) {
    if (error instanceof OperatorRefusal || error instanceof CsvError)
      throw new OperatorRefusal(`${file}, ${error.message}`)
    throw new OperatorRefusal(`${file} cannot be read: ${error instanceof Error ? error.message : error}`)
  }
}

function describe({ days, differences, fees, otherChannels, withdrawn, ...report }: Report) {
  return {
    ...report,
    withdrawn: withdrawn.length,
    from: days?.first ?? null,
    to: days?.last ?? null,
    fees: [...fees].map(([currency, amount]) => ({ currency, amount: formatAmount(amount, currency) })),
    otherChannels: [...otherChannels].map(([channel, lines]) => ({ channel, lines })),
    differences: differences.map(({ line = null, tradeNo = null, theirs, ours, ...rest }) => {
      return { ...rest, line, tradeNo, theirs: written(theirs), ours: written(ours) }
    }),
  }
}

const NOT_REPEATED =
  'Differences "not repeated" are lines of an earlier statement of these days. If this statement corrects the earlier one, import it again with --replaces and the id of the earlier one; if both are right, leave them.'

function inWords(report: Report): string {
  const { statementId, channel, days, lines, matched, different, booked, differences } = report
  const span = days === undefined ? 'no days' : `${days.first} to ${days.last}`
  const head = `Statement ${statementId}, ${lines} lines of ${channel}, ${span}: ${matched} match, ${different} differences, ${booked} booked to suspense.`
  const others = [...report.otherChannels].map(([name, count]) => {
    return `${count} of them are payments of ${plain(name)}, not of ${channel}: they were compared and booked there.`
  })
  const back = report.withdrawn.length
  const withdrawn =
    back === 0 ? [] : [`The channel no longer lists ${back} of the sums in suspense: they were booked out.`]
  const lacked = differences.some(({ kind }) => kind === 'not repeated') ? [NOT_REPEATED] : []
  const summary = [head, ...withdrawn, ...others, ...lacked].join('\n')
  if (different === 0) return summary
  return `${summary}\n\n${section(`Differences${different > differences.length ? ' (the first)' : ''}`, differences.map(toRow))}`
}

function toRow({ kind, type, reference, line, tradeNo, theirs, ours, listedBy }: Difference): string[] {
  const where = line === undefined ? (listedBy ?? '') : `line ${line}`
  const order = tradeNo ?? 'no order'
  const sums = [`theirs ${written(theirs) ?? '-'}`, `ours ${written(ours) ?? '-'}`]
  return [kind, type, plain(reference), order, ...sums, where]
}

function written(money: Money | undefined): string | null {
  return money === undefined ? null : sumOf(money)
}

export const reconcileCommands: readonly Command[] = [reconcileCommand]
