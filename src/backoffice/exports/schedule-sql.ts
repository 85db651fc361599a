import type { Queryable, Tx } from '../../postgres/db.ts'
import type { FilterFields } from '../orders/read-filter.ts'
import type { ExportedList } from './api.ts'

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

type Row = Omit<ScheduleRow, 'merNo'> & { readonly merNo: bigint }

const columns = `
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
  const rows = await db.query<Row>({
    text: `select ${columns} from export_schedules where mer_no = $1 order by schedule_id limit 200`,
    values: [merNo],
  })
  return rows.map((row) => ({ ...row, merNo: Number(row.merNo) }))
}

export async function selectSchedule(
  db: Queryable,
  merNo: number,
  scheduleId: string,
): Promise<ScheduleRow | undefined> {
  const [row] = await db.query<Row>({
    text: `select ${columns} from export_schedules where mer_no = $1 and schedule_id = $2`,
    values: [merNo, scheduleId],
  })
  return row && { ...row, merNo: Number(row.merNo) }
}

/** One schedule that is due, locked until the transaction ends. */
export async function lockDue(tx: Tx, now: Date): Promise<ScheduleRow | undefined> {
  const [row] = await tx.query<Row>({
    text: `select ${columns} from export_schedules where next_at <= $1 order by next_at limit 1
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

/** The name of the schedule that was deleted; undefined if there is none. */
export async function deleteSchedule(tx: Tx, merNo: number, scheduleId: string): Promise<string | undefined> {
  const [row] = await tx.query<{ name: string }>({
    text: 'delete from export_schedules where mer_no = $1 and schedule_id = $2 returning name',
    values: [merNo, scheduleId],
  })
  return row?.name
}
