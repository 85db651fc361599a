// Writes one export in pieces. Each piece commits with the place that it reached, so a worker that takes over goes on there and
// no row is written twice or left out. Memory holds one piece at a time.

import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Clock } from '../../base/clock.ts'
import { textCell, writeCsv } from '../../base/csv.ts'
import type { Vault } from '../../base/secret.ts'
import { enqueueMail } from '../../mail/enqueue-mail.ts'
import type { Merchant } from '../../merchants/merchant.ts'
import { findOrders, type OrderFilter, type OrderPage } from '../../order-queries/search/find-orders.ts'
import type { Db } from '../../postgres/db.ts'
import { toRow } from '../orders/order-row.ts'
import { readFilter } from '../orders/read-filter.ts'
import { cellOf, type ExportColumn, readColumns } from './columns.ts'
import { selectSchedule } from './schedule-sql.ts'
import { countChunks, type ExportRow, endExport, writeChunk } from './sql.ts'

export type WriteDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly vault: Vault
  findMerchant(merNo: number): Promise<Merchant | undefined>
}

export const LEASE_MS = 60_000
const ROWS_PER_CHUNK = 2_000

const compress = promisify(gzip)

/** Returns when the export is done, or is somebody else's to go on with. `isStopping` ends it between two pieces. */
export async function writeExport(
  deps: WriteDeps,
  claimed: ExportRow,
  isStopping: () => boolean,
  rowsPerChunk = ROWS_PER_CHUNK,
): Promise<void> {
  const { db, clock } = deps
  const { merNo, exportId } = claimed
  const merchant = await deps.findMerchant(merNo)
  const filter = filterOf(claimed, merchant?.timezone ?? 'UTC')
  const columns = readColumns(claimed.columns)
  let [row, chunkNo] = [claimed, await countChunks(db, merNo, exportId)]
  if (chunkNo === 0) {
    const header = await compress(writeCsv(columns))
    if (!(await write(row, { content: header, rows: 0, reachedAt: undefined, reachedTradeNo: undefined })))
      return
  }
  for (;;) {
    if (isStopping()) return
    const page = await findOrders(db, merNo, filter, positionOf(row), rowsPerChunk)
    const { next } = page
    if (page.orders.length > 0 || next !== undefined) {
      const content = await compress(textOf(page, columns))
      const chunk = {
        content,
        rows: page.orders.length,
        reachedAt: next?.createdAt,
        reachedTradeNo: next?.tradeNo,
      }
      if (!(await write(row, chunk))) return
      row = {
        ...row,
        rows: row.rows + chunk.rows,
        reachedAt: next?.createdAt ?? row.reachedAt,
        reachedTradeNo: next?.tradeNo ?? row.reachedTradeNo,
      }
    }
    if (next === undefined) {
      await finish(deps, row)
      return
    }
  }

  async function write(at: ExportRow, chunk: Parameters<typeof writeChunk>[3]): Promise<boolean> {
    const leaseUntil = new Date(clock.now().getTime() + LEASE_MS)
    const isWritten = await db.transaction((tx) => writeChunk(tx, at, chunkNo, chunk, leaseUntil))
    chunkNo++
    return isWritten
  }
}

/** The person who scheduled the export gets a mail, in the transaction that ends it. */
async function finish({ db, clock, vault }: WriteDeps, row: ExportRow): Promise<void> {
  const { merNo, scheduleId } = row
  const now = clock.now()
  await db.transaction(async (tx) => {
    const isEnded = await endExport(tx, row, '', now)
    const schedule = scheduleId === null ? undefined : await selectSchedule(tx, merNo, scheduleId)
    if (!isEnded || schedule === undefined) return
    const { email: to, name } = schedule
    await enqueueMail(tx, vault, { merNo, to, template: 'report', language: null, values: { name }, now })
  })
}

/** Orders that are newer than the export are not part of what was seen. */
function filterOf({ filter: fields, createdAt }: ExportRow, timezone: string): OrderFilter {
  const filter = readFilter(fields, timezone)
  const { until = createdAt } = filter
  return { ...filter, until: until < createdAt ? until : createdAt }
}

function positionOf({ reachedAt, reachedTradeNo }: ExportRow) {
  return reachedAt === null || reachedTradeNo === null
    ? undefined
    : { createdAt: reachedAt, tradeNo: reachedTradeNo }
}

function textOf({ orders }: OrderPage, columns: readonly ExportColumn[]): string {
  return orders
    .map((order) => {
      const row = toRow(order, false)
      return writeCsv(columns.map((column) => textCell(cellOf(row, column))))
    })
    .join('')
}
