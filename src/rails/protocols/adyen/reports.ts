// Settlement detail reports: a webhook names a new report, a watcher downloads it, and its lines are stored.
//
// A report is downloaded once, also if some of it cannot be read: that would be so in every round. The rest of it counts, and an
// alarm names what is missing. It is downloaded again when Adyen announces it again, or by a version that reads more.
//
// Webhooks alone write what was announced, and the watcher alone which announcement it has read. So neither overwrites the
// other, and a report that is announced again while it is read stays due.
//
// The address in the webhook is not signed, and the download carries our password. So only Adyen's own hosts, and the host
// that the channel is set up with, are asked.
import { randomUUID } from 'node:crypto'
import { CsvError } from '../../base/csv.ts'
import { createHttpClient, type HttpClientOptions } from '../../http/client/http-client.ts'
import { withDeadline } from '../deadline.ts'
import { listAll } from '../list-all.ts'
import type { Watcher } from '../protocol.ts'
import type { ChannelTools } from '../settings.ts'
import type { ChannelStore, RecordBody } from '../store.ts'
import { REFUND } from './refund-records.ts'
import { countLines, replaceLines } from './settled-lines.ts'
import { type LeftOut, READER, readSettlement, type SettledLine } from './settlement.ts'
import type { Item } from './webhook.ts'

export type ReportsOptions = {
  readonly store: ChannelStore
  readonly alarm: ChannelTools['alarm']
  readonly merchantAccount: string
  readonly user: string
  readonly password: string
  readonly http: HttpClientOptions
  /** Of the channel's own address: a plain one would show our password. */
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
  // Anew, if something of it was not read: it may have been made again, or somebody wants it read again.
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
    // Again: while others were read it may have been announced anew, or read by another node.
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
      // One after the other: each may take up a lot of memory.
      for (const name of await unread(options.store))
        await read(name, signal).catch((error: unknown) => failures.push(error))
      // The others are read; these are tried again in the next round.
      if (failures.length > 0) throw failures[0]
    },
  }
}

const FOREIGN = 'its address is not at a host of Adyen'

/** Undefined unless the address is one that may get our password. */
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

/** Returns what was left out. */
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
  // A part of a report is no reason to lose what is known of the rest.
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
