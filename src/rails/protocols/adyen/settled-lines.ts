// The lines of settlement reports, as they answer for a day's statement.
//
// A report that Adyen generated again may have other lines in another order, so a reading replaces all lines of the reading
// before. Its days are written down before its lines, so that they are found again, whenever a process dies. The old lines go
// first: in between a line may be missing on a statement, but none is there twice, which would be booked as money of nobody.
import { type DayStatement, type ListedMovement, movementTypes } from '../statement.ts'
import type { ChannelRecord, ChannelStore } from '../store.ts'
import { moneyBody, readMoney } from './payment-records.ts'
import { listReversed } from './reversals.ts'
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
  const { day, line, psp, reference, type, money, fee } = settled
  return {
    kind: LINE,
    key: `${day} ${report} ${String(line).padStart(9, '0')}`,
    body: { psp, reference, type, ...moneyBody(money), fee: fee.toString() },
  }
}

/**
 * What the reports so far list for the day. An authorisation that was taken back is left out, and so is its refund: the two may
 * be in reports of different days, and until the second came the first would count as money of the payer. Whether it was taken
 * back is looked up only now, because Adyen may still fail to do it after the report.
 */
export async function statementOf(store: ChannelStore, day: string): Promise<DayStatement> {
  const reversed = await listReversed(store)
  const lines: ListedMovement[] = []
  for await (const page of pagesOf(store, `${day} `))
    lines.push(...page.filter((line) => !comesAndGoes(line, reversed)).flatMap(toMovement))
  return { kind: 'listed', lines }
}

/** Lines that an earlier version has read do not name Adyen's reference. */
function comesAndGoes({ body: { type, psp } }: ChannelRecord, reversed: ReadonlySet<string>): boolean {
  return (type === 'payment' || type === 'refund') && typeof psp === 'string' && reversed.has(psp)
}

function toMovement({ body }: ChannelRecord): ListedMovement[] {
  const type = movementTypes.find((one) => one === body.type)
  if (type === undefined) return []
  return [{ reference: String(body.reference), type, money: readMoney(body), fee: BigInt(String(body.fee)) }]
}
