// The stored lines of settlement reports, from which the statement of a day is made for reconciliation.
//
// A report that Adyen generated again may have other lines in another order, so each reading replaces all lines. The
// days of the lines are written first, so that the lines can be found even if a process dies in between. Old lines are
// removed before new lines are added: a statement at that moment may lack lines, but has no line twice. A repeated line
// would be booked to suspense as unknown money.
import { type DayStatement, type ListedMovement, movementTypes } from '../../contract/statement.ts'
import type { ChannelRecord, ChannelStore } from '../../contract/store.ts'
import { moneyBody, readMoney } from './payment-records.ts'
import { listReversed } from './reversals.ts'
import type { SettledLine } from './settlement.ts'

const LINE = 'settled'
/** The days of a report's lines, over all its readings. */
const DAYS = 'report-days'
/** Lines per transaction. */
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

/** The key of a line begins with its day and its report. */
function toRecord(report: string, settled: SettledLine): ChannelRecord {
  const { day, line, id, psp, reference, type, money, fee } = settled
  return {
    kind: LINE,
    key: `${day} ${report} ${String(line).padStart(9, '0')}`,
    body: { ...(id !== undefined && { id }), psp, reference, type, ...moneyBody(money), fee: fee.toString() },
  }
}

/**
 * A reversed authorisation and its refund are left out. They may be in reports of different days, and until the
 * refund's report came, the authorisation would count as received money. A reversal may still fail after the report was
 * read.
 */
export async function statementOf(store: ChannelStore, day: string): Promise<DayStatement> {
  const reversed = await listReversed(store)
  const lines: ListedMovement[] = []
  for await (const page of pagesOf(store, `${day} `))
    lines.push(...page.filter((line) => !comesAndGoes(line, reversed)).flatMap(toMovement))
  return { kind: 'listed', lines: withoutRepeatedIds(lines) }
}

/** An id that several lines share identifies no line. */
function withoutRepeatedIds(lines: readonly ListedMovement[]): ListedMovement[] {
  const shared = Map.groupBy(lines, ({ id }) => id)
  return lines.map((line) => {
    const { id, ...rest } = line
    return (shared.get(id)?.length ?? 0) > 1 ? rest : line
  })
}

/** Lines of an earlier version have no `psp`. */
function comesAndGoes({ body: { type, psp } }: ChannelRecord, reversed: ReadonlySet<string>): boolean {
  return (type === 'payment' || type === 'refund') && typeof psp === 'string' && reversed.has(psp)
}

function toMovement({ body }: ChannelRecord): ListedMovement[] {
  const type = movementTypes.find((one) => one === body.type)
  if (type === undefined) return []
  const id = typeof body.id === 'string' ? { id: body.id } : {}
  const fee = BigInt(String(body.fee))
  return [{ ...id, reference: String(body.reference), type, money: readMoney(body), fee }]
}
