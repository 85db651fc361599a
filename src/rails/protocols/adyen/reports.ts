// Settlement detail reports: a webhook announces a new report, the watcher downloads it, and its lines are stored for
// reconciliation.
//
// A report is downloaded once, even if a part of it cannot be read, because the next download would have the same
// content. The readable lines are stored, and an alarm names the other lines. A report that was not read in full is
// downloaded again if Adyen announces it again, or if a newer version of the gateway can read more.
//
// Announcements and readings are separate records: webhooks write the announcement, and the watcher writes which
// announcement it has read. So the two never overwrite each other, and a report that is announced again while it is
// being read is read again.
//
// The URL in the webhook is not signed, and the request for the download contains our password. So only Adyen's own
// hosts and the origin of the channel's URL are called.
import { randomUUID } from 'node:crypto'
import { CsvError } from '../../../platform/base/csv.ts'
import { createHttpClient, type HttpClientOptions } from '../../../platform/http/client/http-client.ts'
import type { Watcher } from '../../contract/protocol.ts'
import type { ChannelTools } from '../../contract/settings.ts'
import { type DayStatement, type ListedMovement, movementTypes } from '../../contract/statement.ts'
import type { ChannelRecord, ChannelStore, RecordBody } from '../../contract/store.ts'
import { withDeadline } from '../../toolkit/deadline.ts'
import { moneyBody } from '../../toolkit/records/money.ts'
import { listAll } from '../../toolkit/records/store.ts'
import { REFUND, readMoney } from './payment-records.ts'
import { listReversed } from './reversals.ts'
import { type LeftOut, READER, readSettlement, type SettledLine } from './settlement.ts'
import type { Item } from './signature.ts'

type ReportsOptions = {
  readonly store: ChannelStore
  readonly alarm: ChannelTools['alarm']
  readonly merchantAccount: string
  readonly user: string
  readonly password: string
  readonly http: HttpClientOptions
  /**
   * The origin of the channel's URL. An origin includes the protocol, so a report's URL cannot switch from HTTPS to
   * plain HTTP, which would reveal our password.
   */
  readonly origin: string
}

const REPORT = 'report'
const READING = 'report-read'
const WHOLE = 'read'
const namePattern = /^settlement_detail_report_batch_\d{1,9}\.csv$/
const EVERY_MS = 60_000
const DOWNLOAD_MS = 120_000
const MAX_BYTES = 67_108_864

export async function noteReport(store: ChannelStore, { psp: name, reason: url }: Item): Promise<void> {
  if (!namePattern.test(name)) return
  if ((await store.find({ kind: READING, key: name }))?.body.done === WHOLE) return
  // A report that was not read in full is due again, because Adyen may have generated it again.
  await store.write([{ put: { kind: REPORT, key: name, body: { url, announced: randomUUID() } } }])
}

export function createReportWatcher(options: ReportsOptions): Watcher {
  const client = createHttpClient({ ...options.http, maxResponseBytes: MAX_BYTES })
  const authorization = `Basic ${Buffer.from(`${options.user}:${options.password}`).toString('base64')}`

  async function download(url: URL, stopping: AbortSignal): Promise<string> {
    const reply = await withDeadline(DOWNLOAD_MS, (deadline) => {
      const signal = AbortSignal.any([stopping, deadline])
      return client({ method: 'GET', url, headers: { authorization }, signal })
    })
    if (reply.kind !== 'answer') throw new Error(`a settlement report was not downloaded: ${reply.why}`)
    if (reply.status === 200) return reply.text
    throw new Error(`a settlement report was not downloaded: Adyen responded ${reply.status}`)
  }

  async function read(name: string, signal: AbortSignal): Promise<void> {
    // The records are read again, because another process may have announced or read the report since the list was
    // made.
    const { body: report } = (await options.store.find({ kind: REPORT, key: name })) ?? {}
    const reading = await options.store.find({ kind: READING, key: name })
    if (report === undefined || !isDue(report, reading?.body)) return
    const { url: address, announced } = report
    const url = reportAddress(address, options.origin)
    const missing = url === undefined ? FOREIGN : await storeLines(options, name, await download(url, signal))
    if (missing !== undefined) options.alarm(name, `a settlement report is not read in full: ${missing}`)
    const body = { announced, done: missing ?? WHOLE, reader: READER }
    await options.store.write([{ put: { kind: READING, key: name, body } }])
  }

  return {
    everyMs: EVERY_MS,
    async work(signal) {
      const failures: unknown[] = []
      // The reports are read one after the other, because each may need much memory.
      for (const name of await unread(options.store))
        await read(name, signal).catch((error: unknown) => failures.push(error))
      // The next round retries the failed reports.
      if (failures.length > 0) throw failures[0]
    },
  }
}

const FOREIGN = 'its address is not at a host of Adyen'

/** Returns the URL if it is at a host of Adyen or at the channel's own origin. Undefined for any other text. */
export function reportAddress(text: unknown, ownOrigin: string): URL | undefined {
  const url = typeof text === 'string' ? URL.parse(text) : null
  if (url === null) return undefined
  const isAdyens = url.protocol === 'https:' && /^[a-z0-9-]+\.adyen\.com$/.test(url.host)
  return isAdyens || url.origin === ownOrigin ? url : undefined
}

async function unread(store: ChannelStore): Promise<string[]> {
  const readings = new Map((await listAll(store, READING)).map(({ key, body }) => [key, body]))
  const reports = await listAll(store, REPORT)
  return reports.filter(({ key, body }) => isDue(body, readings.get(key))).map(({ key }) => key)
}

function isDue(report: RecordBody, reading: RecordBody | undefined): boolean {
  if (reading === undefined || reading.announced !== report.announced) return true
  return reading.done !== WHOLE && Number(reading.reader) < READER
}

const STAYS = ', so what was read before stays'

/** Stores the lines. Returns a description of the parts that were left out. Undefined if every part was read. */
async function storeLines(
  { store, merchantAccount }: ReportsOptions,
  name: string,
  csv: string,
): Promise<string | undefined> {
  const findRefund = async (psp: string) => (await store.find({ kind: REFUND, key: psp }))?.reference
  const lines: SettledLine[] = []
  const leftOut: LeftOut[] = []
  let broken: CsvError | undefined
  try {
    for await (const line of readSettlement(csv, merchantAccount, findRefund))
      if ('leftOut' in line) leftOut.push(line)
      else lines.push(line)
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    broken = error
  }
  // If the report breaks off, the lines before the break replace the stored lines only if there are more of them.
  const known = broken === undefined ? 0 : await countLines(store, name)
  const staysAsRead = known > 0 && known >= lines.length
  if (!staysAsRead) await replaceLines(store, name, lines)
  const missing = [...whichLines(leftOut), ...whichTypes(leftOut)]
  if (broken !== undefined) missing.push(`it breaks off at ${broken.message}${staysAsRead ? STAYS : ''}`)
  return missing.length === 0 ? undefined : missing.join('; ')
}

const MAX_SHOWN = 20
const MAX_TYPE = 60

function whichLines(leftOut: readonly LeftOut[]): string[] {
  const bad = leftOut.filter((one) => one.leftOut === 'unreadable').map(({ line }) => line)
  if (bad.length === 0) return []
  const more = bad.length > MAX_SHOWN ? ` and ${bad.length - MAX_SHOWN} more` : ''
  return [
    `${bad.length === 1 ? 'line' : 'lines'} ${bad.slice(0, MAX_SHOWN).join(', ')}${more} cannot be read`,
  ]
}

function whichTypes(leftOut: readonly LeftOut[]): string[] {
  const types = leftOut.flatMap(({ leftOut: why, type }) => (why === 'type' ? [type.slice(0, MAX_TYPE)] : []))
  const shown = [...new Set(types)].slice(0, MAX_SHOWN)
  return shown.length === 0
    ? []
    : [`lines are of types that are not known: ${shown.join(', ').toWellFormed()}`]
}

// The stored lines of settlement reports. The statement of a day is made from them for reconciliation.
//
// A report that Adyen generated again may have other lines in another order, so each reading replaces all lines. The
// days of the lines are written first, so that the lines can be found even if the process dies in between. Old lines
// are removed before new lines are added. A statement at that moment may lack lines, but has no line twice: a repeated
// line would be booked to suspense as unknown money.

const LINE = 'settled'
/** The days that a report's lines have or had, in this reading or an earlier one. */
const DAYS = 'report-days'
/** The maximum number of lines per transaction and per page. */
const PIECE = 500

async function replaceLines(
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

async function countLines(store: ChannelStore, report: string): Promise<number> {
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

/** Returns the record of a line. The key begins with the day and the report, so that lines can be listed by both. */
function toRecord(report: string, settled: SettledLine): ChannelRecord {
  const { day, line, id, psp, reference, type, money, fee } = settled
  return {
    kind: LINE,
    key: `${day} ${report} ${String(line).padStart(9, '0')}`,
    body: { ...(id !== undefined && { id }), psp, reference, type, ...moneyBody(money), fee: fee.toString() },
  }
}

/**
 * Returns the lines of a day, without reversed authorisations and their refunds. An authorisation and its refund may be
 * in reports of different days, and until the second report came, the authorisation would count as received money. The
 * lines are stored all the same, because a reversal may still fail after the report was read.
 */
export async function statementOf(store: ChannelStore, day: string): Promise<DayStatement> {
  const reversed = await listReversed(store)
  const lines: ListedMovement[] = []
  for await (const page of pagesOf(store, `${day} `))
    lines.push(...page.filter((line) => !comesAndGoes(line, reversed)).flatMap(toMovement))
  return { kind: 'listed', lines: withoutRepeatedIds(lines) }
}

/** Removes an id that several lines share, because such an id identifies no line. */
function withoutRepeatedIds(lines: readonly ListedMovement[]): ListedMovement[] {
  const shared = Map.groupBy(lines, ({ id }) => id)
  return lines.map((line) => {
    const { id, ...rest } = line
    return (shared.get(id)?.length ?? 0) > 1 ? rest : line
  })
}

/**
 * True if the line is about a reversed authorisation or its refund. Lines that an earlier version stored have no `psp`.
 */
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
