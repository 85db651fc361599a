import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import type { FilterFields } from '../orders/read-filter.ts'
import type { ExportedList } from './api.ts'

export type ExportRow = {
  readonly merNo: number
  readonly exportId: string
  readonly userId: string
  readonly list: ExportedList
  readonly filter: FilterFields
  readonly columns: string
  readonly state: 'running' | 'done' | 'failed'
  readonly rows: number
  readonly reachedAt: Date | null
  readonly reachedTradeNo: string | null
  readonly problem: string
  readonly scheduleId: string | null
  readonly createdAt: Date
  readonly finishedAt: Date | null
  readonly expiresAt: Date
}

type StoredExport = Omit<ExportRow, 'merNo' | 'rows'> & { readonly merNo: bigint; readonly rows: bigint }

const exportColumns = `
  mer_no as "merNo", export_id as "exportId", user_id as "userId", list, filter, columns, state, rows_written as rows,
  reached_at as "reachedAt", reached_trade_no as "reachedTradeNo", problem, schedule_id as "scheduleId",
  created_at as "createdAt", finished_at as "finishedAt", expires_at as "expiresAt"`

function toExport(row: StoredExport): ExportRow {
  return { ...row, merNo: Number(row.merNo), rows: Number(row.rows) }
}

export async function insertExport(tx: Tx, row: ExportRow): Promise<void> {
  const { merNo, exportId, userId, list, filter, columns, scheduleId, createdAt, expiresAt } = row
  await tx.query({
    text: `
      insert into exports (mer_no, export_id, user_id, filter, columns, state, rows_written, bytes_written, problem,
        schedule_id, created_at, expires_at, leased_until, list)
      values ($1, $2, $3, $4, $5, 'running', 0, 0, '', $6, $7, $8, $7, $9)`,
    values: [
      merNo,
      exportId,
      userId,
      JSON.stringify(filter),
      columns,
      scheduleId,
      createdAt,
      expiresAt,
      list,
    ],
  })
}

export async function selectExports(db: Queryable, merNo: number, limit: number): Promise<ExportRow[]> {
  const rows = await db.query<StoredExport>({
    text: `select ${exportColumns} from exports where mer_no = $1 order by export_id desc limit $2`,
    values: [merNo, limit],
  })
  return rows.map(toExport)
}

export async function selectExport(
  db: Queryable,
  merNo: number,
  exportId: string,
): Promise<ExportRow | undefined> {
  const [row] = await db.query<StoredExport>({
    text: `select ${exportColumns} from exports where mer_no = $1 and export_id = $2`,
    values: [merNo, exportId],
  })
  return row && toExport(row)
}

/** Claims an export that no worker holds: a new export, or an export whose lease has ended. */
export async function claimExport(
  db: Queryable,
  now: Date,
  leaseUntil: Date,
): Promise<ExportRow | undefined> {
  const [row] = await db.query<StoredExport>({
    text: `
      update exports set leased_until = $2 where (mer_no, export_id) = (
        select mer_no, export_id from exports where leased_until <= $1
        order by leased_until limit 1 for update skip locked)
      returning ${exportColumns}`,
    values: [now, leaseUntil],
  })
  return row && toExport(row)
}

type WrittenChunk = {
  readonly content: Buffer
  readonly rows: number
  readonly reachedAt: Date | undefined
  readonly reachedTradeNo: string | undefined
}

/** Returns false if the export has ended or was deleted, or if another worker has continued the export. */
export async function writeChunk(
  tx: Tx,
  { merNo, exportId, rows }: ExportRow,
  chunkNo: number,
  chunk: WrittenChunk,
  leaseUntil: Date,
): Promise<boolean> {
  const [held] = await tx.query<{ rows: bigint }>({
    text: `select rows_written as rows from exports
      where mer_no = $1 and export_id = $2 and state = 'running' for update`,
    values: [merNo, exportId],
  })
  // A chunk without rows leaves the number of rows as it was, so the number of chunks is compared, too.
  if (Number(held?.rows) !== rows || (await countChunks(tx, merNo, exportId)) !== chunkNo) return false
  await tx.query({
    text: `
      update exports set rows_written = rows_written + $3, bytes_written = bytes_written + $4,
        reached_at = coalesce($5, reached_at), reached_trade_no = coalesce($6, reached_trade_no), leased_until = $7
      where mer_no = $1 and export_id = $2`,
    values: [
      merNo,
      exportId,
      chunk.rows,
      chunk.content.length,
      chunk.reachedAt ?? null,
      chunk.reachedTradeNo ?? null,
      leaseUntil,
    ],
  })
  await tx.query({
    text: 'insert into export_chunks (mer_no, export_id, chunk_no, content) values ($1, $2, $3, $4)',
    values: [merNo, exportId, chunkNo, chunk.content],
  })
  return true
}

export async function countChunks(db: Queryable, merNo: number, exportId: string): Promise<number> {
  const [row] = await db.query<{ chunks: number }>({
    text: 'select count(*)::int as chunks from export_chunks where mer_no = $1 and export_id = $2',
    values: [merNo, exportId],
  })
  return row?.chunks ?? 0
}

/** Returns false if the export has already ended or was deleted. */
export async function endExport(
  db: Queryable,
  { merNo, exportId }: ExportRow,
  problem: string,
  at: Date,
): Promise<boolean> {
  const rows = await db.query<{ export_id: string }>({
    text: `update exports set state = case when $3 = '' then 'done' else 'failed' end, problem = $3, finished_at = $4,
        leased_until = null
      where mer_no = $1 and export_id = $2 and state = 'running' returning export_id`,
    values: [merNo, exportId, problem, at],
  })
  return rows.length > 0
}

export async function selectChunk(
  db: Queryable,
  merNo: number,
  exportId: string,
  chunkNo: number,
): Promise<Buffer | undefined> {
  const [row] = await db.query<{ content: Buffer }>({
    text: 'select content from export_chunks where mer_no = $1 and export_id = $2 and chunk_no = $3',
    values: [merNo, exportId, chunkNo],
  })
  return row?.content
}

export async function deleteExport(tx: Tx, merNo: number, exportId: string): Promise<void> {
  await tx.query({
    text: 'delete from exports where mer_no = $1 and export_id = $2',
    values: [merNo, exportId],
  })
  await tx.query({
    text: 'delete from export_chunks where mer_no = $1 and export_id = $2',
    values: [merNo, exportId],
  })
}

export async function selectExpired(
  db: Queryable,
  now: Date,
  limit: number,
): Promise<{ merNo: number; exportId: string }[]> {
  const rows = await db.query<{ merNo: bigint; exportId: string }>({
    text: `select mer_no as "merNo", export_id as "exportId" from exports where expires_at <= $1
      order by expires_at limit $2`,
    values: [now, limit],
  })
  return rows.map((row) => ({ ...row, merNo: Number(row.merNo) }))
}

export type ScheduleRow = {
  readonly merNo: number
  readonly scheduleId: string
  readonly userId: string
  readonly email: string
  readonly name: string
  readonly list: ExportedList
  readonly filter: FilterFields
  readonly columns: string
  readonly every: 'day' | 'week'
  readonly nextAt: Date
  readonly createdAt: Date
}

type StoredSchedule = Omit<ScheduleRow, 'merNo'> & { readonly merNo: bigint }

const scheduleColumns = `
  mer_no as "merNo", schedule_id as "scheduleId", user_id as "userId", email, name, list, filter, columns, every,
  next_at as "nextAt", created_at as "createdAt"`

export async function insertSchedule(tx: Tx, row: ScheduleRow): Promise<void> {
  const { merNo, scheduleId, userId, email, name, list, filter, columns, every, nextAt, createdAt } = row
  await tx.query({
    text: `
      insert into export_schedules (
        mer_no, schedule_id, user_id, email, name, filter, columns, every, next_at, created_at, list)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    values: [
      merNo,
      scheduleId,
      userId,
      email,
      name,
      JSON.stringify(filter),
      columns,
      every,
      nextAt,
      createdAt,
      list,
    ],
  })
}

export async function selectSchedules(db: Queryable, merNo: number): Promise<ScheduleRow[]> {
  const rows = await db.query<StoredSchedule>({
    text: `select ${scheduleColumns} from export_schedules where mer_no = $1 order by schedule_id limit 200`,
    values: [merNo],
  })
  return rows.map((row) => ({ ...row, merNo: Number(row.merNo) }))
}

export async function selectSchedule(
  db: Queryable,
  merNo: number,
  scheduleId: string,
): Promise<ScheduleRow | undefined> {
  const [row] = await db.query<StoredSchedule>({
    text: `select ${scheduleColumns} from export_schedules where mer_no = $1 and schedule_id = $2`,
    values: [merNo, scheduleId],
  })
  return row && { ...row, merNo: Number(row.merNo) }
}

export async function lockDue(tx: Tx, now: Date): Promise<ScheduleRow | undefined> {
  const [row] = await tx.query<StoredSchedule>({
    text: `select ${scheduleColumns} from export_schedules where next_at <= $1 order by next_at limit 1
      for update skip locked`,
    values: [now],
  })
  return row && { ...row, merNo: Number(row.merNo) }
}

export async function updateNext(tx: Tx, { merNo, scheduleId }: ScheduleRow, nextAt: Date): Promise<void> {
  await tx.query({
    text: 'update export_schedules set next_at = $3 where mer_no = $1 and schedule_id = $2',
    values: [merNo, scheduleId, nextAt],
  })
}

export async function deleteSchedule(tx: Tx, merNo: number, scheduleId: string): Promise<string | undefined> {
  const [row] = await tx.query<{ name: string }>({
    text: 'delete from export_schedules where mer_no = $1 and schedule_id = $2 returning name',
    values: [merNo, scheduleId],
  })
  return row?.name
}
