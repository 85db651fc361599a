// Writes one export in chunks. Each chunk is committed together with the place in the list that it reached. Therefore
// another worker can continue there, and no row is written twice. Chunks are stored in the database and not in a file,
// so that every node can continue and serve the export.
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Merchant } from '../../../money/merchants/merchant.ts'
import { findOrders, type OrderFilter } from '../../../money/order-queries/search/find-orders.ts'
import type { Position, Searched } from '../../../money/order-queries/search/scan-orders.ts'
import { PLATFORM } from '../../../people/roles/permissions.ts'
import type { Clock } from '../../../platform/base/clock.ts'
import { writeCsv } from '../../../platform/base/csv.ts'
import { merNoOf } from '../../../platform/base/id.ts'
import type { Vault } from '../../../platform/base/secret.ts'
import { enqueueMail } from '../../../platform/mail/enqueue-mail.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import { type FilterFields, readFilter } from '../orders/read-filter.ts'
import { toRow } from '../orders/view-order.ts'
import { cellOf, readColumns } from './order-columns.ts'
import { headOf, readLines, readSpan } from './sources.ts'
import { countChunks, type ExportRow, endExport, selectSchedule, writeChunk } from './sql.ts'

export type WriteDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly vault: Vault
  findMerchant(merNo: number): Promise<Merchant | undefined>
}

export const LEASE_MS = 60_000
const ROWS_PER_CHUNK = 2_000

const compress = promisify(gzip)

/**
 * Writes an export. Returns early if the export was deleted, if another worker has taken it over, or if `isStopping`
 * returns true.
 */
export async function writeExport(
  deps: WriteDeps,
  claimed: ExportRow,
  isStopping: () => boolean,
  rowsPerChunk = ROWS_PER_CHUNK,
): Promise<void> {
  const { db, clock } = deps
  const { merNo, exportId } = claimed
  const merchant = await deps.findMerchant(merNo)
  const { head, read } = readerOf(db, claimed, merchant?.timezone ?? 'UTC')
  let [row, chunkNo] = [claimed, await countChunks(db, merNo, exportId)]
  if (chunkNo === 0) {
    const header = await compress(writeCsv(head))
    if (!(await write(row, { content: header, rows: 0, reachedAt: undefined, reachedTradeNo: undefined })))
      return
  }
  for (;;) {
    if (isStopping()) return
    const { lines, next } = await read(row, rowsPerChunk)
    if (lines.length > 0 || next !== undefined) {
      const content = await compress(lines.map(writeCsv).join(''))
      const chunk = {
        content,
        rows: lines.length,
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

/** Ends an export. If it was scheduled, the same transaction enqueues a mail to the person who scheduled it. */
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

type Piece = {
  readonly lines: readonly (readonly string[])[]
  /** The place in the list from which to continue. Undefined at the end of the list. */
  readonly next: Position | undefined
}

type Reader = {
  readonly head: readonly string[]
  read(reached: ExportRow, limit: number): Promise<Piece>
}

/**
 * Returns the reader of a list. Rows that are newer than the export are left out, because the person did not see them.
 * In an export of all merchants, the first column is the merchant number.
 */
function readerOf(db: Db, row: ExportRow, timezone: string): Reader {
  const { list, filter, columns, createdAt } = row
  const merNo = row.merNo === PLATFORM ? undefined : row.merNo
  if (list === 'orders') return orderReader(db, merNo, filterOf(filter, timezone, createdAt), columns)
  const span = readSpan(list, filter, timezone, createdAt)
  return {
    head: merNo === undefined ? ['merNo', ...headOf(list)] : headOf(list),
    async read({ reachedTradeNo }, limit) {
      const found = await readLines(db, list, span, { merNo, below: reachedTradeNo ?? undefined, limit })
      const last = found.length < limit ? undefined : found.at(-1)
      return {
        lines: found.map(({ id, cells }) => (merNo === undefined ? [String(merNoOf(id)), ...cells] : cells)),
        next: last && { createdAt: last.at, tradeNo: last.id },
      }
    },
  }
}

function orderReader(db: Db, merNo: Searched, filter: OrderFilter, names: string): Reader {
  const columns = readColumns(names)
  return {
    head: merNo === undefined ? ['merNo', ...columns] : columns,
    async read(reached, limit) {
      const { orders, next } = await findOrders(db, merNo, filter, positionOf(reached), limit)
      const lines = orders.map((order) => {
        const row = toRow(order, false)
        const cells = columns.map((column) => cellOf(row, column))
        return merNo === undefined ? [String(row.merNo), ...cells] : cells
      })
      return { lines, next }
    },
  }
}

function filterOf(fields: FilterFields, timezone: string, createdAt: Date): OrderFilter {
  const filter = readFilter(fields, timezone, createdAt)
  const { until = createdAt } = filter
  return { ...filter, until: until < createdAt ? until : createdAt }
}

function positionOf({ reachedAt, reachedTradeNo }: ExportRow): Position | undefined {
  return reachedAt === null || reachedTradeNo === null
    ? undefined
    : { createdAt: reachedAt, tradeNo: reachedTradeNo }
}
