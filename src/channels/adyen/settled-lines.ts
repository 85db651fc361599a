// The lines of settlement reports, as they answer for a day's statement.
//
// A report that Adyen generated again may have other lines in another order, so a reading replaces all lines of the reading
// before. Its days are written down before its lines, so that they are found again, whenever a process dies. The old lines go
// first: in between a line may be missing on a statement, but none is there twice, which would be booked as money of nobody.
import { type DayStatement, type ListedMovement, movementTypes } from '../statement.ts'
import type { ChannelRecord, ChannelStore } from '../store.ts'
import { moneyBody, readMoney } from './payment-records.ts'
import type { SettledLine } from './settlement.ts'

const LINE = 'settled'
/** The days of a report's lines, of all its readings. */
const DAYS = 'report-days'
/** Lines of one transaction. */
const PIECE = 500

export async function replaceLines(
  store: ChannelStore,
  report: string,
  lines: readonly SettledLine[],
): Promise<void> {
  const days = new Set([...(await daysOf(store, report)), ...lines.map(({ day }) => day)])
  await store.write([{ put: { kind: DAYS, key: report, body: { days: [...days] } } }])
  for (const day of days) await removeLines(store, `${day} ${report} `)
  for (let at = 0; at < lines.length; at += PIECE)
    await store.write(lines.slice(at, at + PIECE).map((line) => ({ add: toRecord(report, line) })))
}

/** How many lines of the report are stored. */
export async function countLines(store: ChannelStore, report: string): Promise<number> {
  let count = 0
  for (const day of await daysOf(store, report))
    for await (const page of pagesOf(store, `${day} ${report} `)) count += page.length
  return count
}

async function daysOf(store: ChannelStore, report: string): Promise<readonly string[]> {
  const days = (await store.find({ kind: DAYS, key: report }))?.body.days
  return Array.isArray(days) ? days.map(String) : []
}

async function removeLines(store: ChannelStore, prefix: string): Promise<void> {
  for (;;) {
    const page = await listLines(store, { prefix, after: prefix })
    if (page.length > 0) await store.write(page.map(({ kind, key }) => ({ remove: { kind, key } })))
    if (page.length < PIECE) return
  }
}

/** A page of the lines whose keys begin so. */
async function listLines(
  store: ChannelStore,
  { prefix, after }: { readonly prefix: string; readonly after: string },
): Promise<readonly ChannelRecord[]> {
  const page = await store.list(LINE, { after, limit: PIECE })
  return page.filter(({ key }) => key.startsWith(prefix))
}

async function* pagesOf(store: ChannelStore, prefix: string): AsyncGenerator<readonly ChannelRecord[]> {
  for (let after = prefix; ; ) {
    const page = await listLines(store, { prefix, after })
    yield page
    const last = page.at(-1)
    if (last === undefined || page.length < PIECE) return
    after = last.key
  }
}

/** Its key begins with its day and its report. */
function toRecord(report: string, settled: SettledLine): ChannelRecord {
  const { day, line, reference, type, money, fee } = settled
  return {
    kind: LINE,
    key: `${day} ${report} ${String(line).padStart(9, '0')}`,
    body: { reference, type, ...moneyBody(money), fee: fee.toString() },
  }
}

/** What the reports so far list for the day. */
export async function statementOf(store: ChannelStore, day: string): Promise<DayStatement> {
  const lines: ListedMovement[] = []
  for await (const page of pagesOf(store, `${day} `)) lines.push(...page.flatMap(toMovement))
  return { kind: 'listed', lines }
}

function toMovement({ body }: ChannelRecord): ListedMovement[] {
  const type = movementTypes.find((one) => one === body.type)
  if (type === undefined) return []
  return [{ reference: String(body.reference), type, money: readMoney(body), fee: BigInt(String(body.fee)) }]
}
