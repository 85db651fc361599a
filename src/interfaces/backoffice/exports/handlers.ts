import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Merchant } from '../../../money/merchants/merchant.ts'
import { actorOf, type Caller, isOperator, listedMerchant } from '../../../people/roles/caller.ts'
import { PLATFORM } from '../../../people/roles/permissions.ts'
import { writeAudit } from '../../../platform/audit-log/write-entry.ts'
import type { Clock } from '../../../platform/base/clock.ts'
import { makeId, merNoOf } from '../../../platform/base/id.ts'
import { Problem } from '../../../platform/errors/problem.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import { recordDownload } from '../audit-lines.ts'
import { type Listed, listedOf } from '../merchant-of-call.ts'
import { readFilter } from '../orders/read-filter.ts'
import type { Handlers } from '../route.ts'
import { PAGE_ROWS } from '../schemas.ts'
import type { ExportedList, exportsApi } from './api.ts'
import { EXPORT_DAYS_MS, nextRun } from './schedule.ts'
import { readPermissions, readSpan } from './sources.ts'
import {
  deleteExport,
  deleteSchedule,
  type ExportRow,
  insertExport,
  insertSchedule,
  type ScheduleRow,
  selectChunk,
  selectExport,
  selectExports,
  selectSchedules,
} from './sql.ts'

export type ExportHandlerDeps = {
  readonly db: Db
  readonly clock: Clock
  findMerchant(merNo: number): Promise<Merchant | undefined>
  readonly pokeExports: () => void
}

const expand = promisify(gunzip)

/** The maximum number of a merchant's exports in progress. */
const MOST_RUNNING = 5

export function createExportHandlers(deps: ExportHandlerDeps): Handlers<typeof exportsApi> {
  const { db, clock } = deps
  return {
    async 'GET /exports'({ caller, query }) {
      const rows = await selectExports(db, listedMerchant(caller, query.merNo) ?? PLATFORM, PAGE_ROWS)
      return { rows: rows.map(toExport) }
    },

    async 'POST /exports'({ caller, body }) {
      const listed = await listedOf(deps, caller, body.filter.merNo)
      const { merNo = PLATFORM } = listed
      const { list = 'orders' } = body
      checkWanted(caller, list, body.filter, listed, clock.now())
      const running = (await selectExports(db, merNo, PAGE_ROWS)).filter(({ state }) => state === 'running')
      if (running.length >= MOST_RUNNING)
        throw new Problem('too-many', `Wait until one of the ${MOST_RUNNING} running exports is done.`)
      const createdAt = clock.now()
      const row = newExport(caller, merNo, { ...body, list }, createdAt)
      await db.transaction(async (tx) => {
        await insertExport(tx, row)
        const { merNo: _, ...filter } = body.filter
        await writeAudit(tx, {
          merNo,
          at: createdAt,
          actor: actorOf(caller),
          action: 'export.create',
          subject: row.exportId,
          after: { list, filter, columns: body.columns },
        })
      })
      deps.pokeExports()
      return toExport(row)
    },

    async 'GET /exports/:exportId/file'({ caller, params }) {
      const row = await needExport(db, caller, params.exportId)
      requireRead(caller, row.list)
      if (row.state !== 'done') throw new Problem('refused', 'Wait until the export is done.')
      const { merNo, exportId: subject, list, rows } = row
      await recordDownload(deps, caller, { merNo, subject, holds: { list, rows } })
      const name = `${row.list}-${row.createdAt.toISOString().slice(0, 10)}.csv`
      return { name, type: 'text/csv; charset=utf-8', content: readFile(db, row) }
    },

    async 'DELETE /exports/:exportId'({ caller, params }) {
      const { merNo, exportId } = await needExport(db, caller, params.exportId)
      await db.transaction(async (tx) => {
        await deleteExport(tx, merNo, exportId)
        const line = { merNo, at: clock.now(), actor: actorOf(caller) }
        await writeAudit(tx, { ...line, action: 'export.delete', subject: exportId })
      })
      return {}
    },

    async 'GET /export-schedules'({ caller, query }) {
      const rows = await selectSchedules(db, listedMerchant(caller, query.merNo) ?? PLATFORM)
      return { rows: rows.map(toSchedule) }
    },

    async 'POST /export-schedules'({ caller, body }) {
      const listed = await listedOf(deps, caller, body.merNo ?? body.filter.merNo)
      const { merNo = PLATFORM, timezone } = listed
      const createdAt = clock.now()
      const { name, list = 'orders', filter, columns, every } = body
      checkWanted(caller, list, filter, listed, createdAt)
      const row: ScheduleRow = {
        merNo,
        scheduleId: makeId('H', merNo, createdAt),
        userId: caller.userId,
        email: caller.email,
        name,
        list,
        filter,
        columns,
        every,
        nextAt: nextRun(every, timezone, createdAt),
        createdAt,
      }
      await db.transaction(async (tx) => {
        await insertSchedule(tx, row)
        const line = { merNo, at: createdAt, actor: actorOf(caller), subject: row.scheduleId }
        await writeAudit(tx, { ...line, action: 'export-schedule.create', after: { name, list, every } })
      })
      return toSchedule(row)
    },

    async 'DELETE /export-schedules/:scheduleId'({ caller, params: { scheduleId } }) {
      const merNo = merchantOfId(caller, scheduleId)
      await db.transaction(async (tx) => {
        const name = merNo === undefined ? undefined : await deleteSchedule(tx, merNo, scheduleId)
        if (merNo === undefined || name === undefined)
          throw new Problem('not-found', 'There is no such schedule.')
        const line = { merNo, at: clock.now(), actor: actorOf(caller), subject: scheduleId }
        await writeAudit(tx, { ...line, action: 'export-schedule.delete', before: { name } })
      })
      return {}
    },
  }
}

/**
 * Returns the merchant number that the id contains. Undefined if the id contains none, or if the caller may not see the
 * merchant.
 */
function merchantOfId(caller: Caller, id: string): number | undefined {
  const merNo = merNoOf(id)
  return isOperator(caller) || merNo === caller.merNo ? merNo : undefined
}

async function needExport(db: Db, caller: Caller, exportId: string): Promise<ExportRow> {
  const merNo = merchantOfId(caller, exportId)
  const row = merNo === undefined ? undefined : await selectExport(db, merNo, exportId)
  if (row === undefined)
    throw new Problem('not-found', 'There is no such export. Exports are kept for a week.')
  return row
}

async function* readFile(db: Db, { merNo, exportId }: ExportRow): AsyncGenerator<Buffer> {
  for (let chunkNo = 0; ; chunkNo++) {
    const content = await selectChunk(db, merNo, exportId, chunkNo)
    if (content === undefined) return
    yield await expand(content)
  }
}

function requireRead({ permissions }: Caller, list: ExportedList): void {
  if (!permissions.has(readPermissions[list]))
    throw new Problem('not-allowed', 'Your role does not allow this. Ask somebody who may change roles.')
}

/** Refuses wrong filters now, so that they do not make the export fail later. */
function checkWanted(
  caller: Caller,
  list: ExportedList,
  filter: ExportRow['filter'],
  { merNo, timezone }: Listed,
  now: Date,
): void {
  requireRead(caller, list)
  if (merNo === undefined && list === 'payouts')
    throw new Problem('invalid', 'Choose a merchant first.', { merNo: 'Choose a merchant.' })
  if (list === 'orders') readFilter(filter, timezone, now)
  else readSpan(list, filter, timezone, now)
}

type Wanted = Pick<ExportRow, 'list' | 'filter' | 'columns'>

function newExport({ userId }: Caller, merNo: number, wanted: Wanted, createdAt: Date): ExportRow {
  const { list, filter, columns } = wanted
  return {
    merNo,
    exportId: makeId('B', merNo, createdAt),
    userId,
    list,
    filter,
    columns,
    state: 'running',
    rows: 0,
    reachedAt: null,
    reachedTradeNo: null,
    problem: '',
    scheduleId: null,
    createdAt,
    finishedAt: null,
    expiresAt: new Date(createdAt.getTime() + EXPORT_DAYS_MS),
  }
}

function toExport(row: ExportRow) {
  const { exportId, list, filter, columns, state, rows, problem } = row
  return {
    exportId,
    list,
    filter,
    columns,
    state,
    rows,
    problem,
    reachedAt: row.reachedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
    expiresAt: row.expiresAt.toISOString(),
  }
}

function toSchedule({ scheduleId, name, email, list, filter, columns, every, nextAt }: ScheduleRow) {
  return { scheduleId, name, email, list, filter, columns, every, nextAt: nextAt.toISOString() }
}
