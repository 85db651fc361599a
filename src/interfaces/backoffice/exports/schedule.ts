// Exports that come by themselves, every day or every week, some time after the merchant's midnight.
import { makeId } from '../../base/id.ts'
import { addDays, localDay, startOfDay } from '../../base/local-day.ts'
import type { Merchant } from '../../merchants/merchant.ts'
import type { Db } from '../../postgres/db.ts'
import { EXPORT_DAYS_MS } from './export.ts'
import { lockDue, type ScheduleRow, updateNext } from './schedule-sql.ts'
import { insertExport } from './sql.ts'

/** After midnight, so that the day's last payments are decided. */
const AFTER_MIDNIGHT_MS = 3_600_000
const MONDAY = 1

/** The next morning, or that of the next Monday. */
export function nextRun(every: 'day' | 'week', timezone: string, now: Date): Date {
  const today = localDay(now, timezone)
  for (let days = 0; ; days++) {
    const day = addDays(today, days)
    const at = new Date(startOfDay(day, timezone).getTime() + AFTER_MIDNIGHT_MS)
    const isDay = every === 'day' || new Date(`${day}T00:00:00Z`).getUTCDay() === MONDAY
    if (isDay && at > now) return at
  }
}

/** The local days that an export of this moment covers. */
export function coveredDays(every: 'day' | 'week', timezone: string, at: Date) {
  const today = localDay(at, timezone)
  return { from: addDays(today, every === 'day' ? -1 : -7), to: addDays(today, -1) }
}

/** Starts the export of one schedule that is due; false if there is none. */
export function startScheduled(
  deps: { readonly db: Db; findMerchant(merNo: number): Promise<Merchant | undefined> },
  now: Date,
): Promise<boolean> {
  return deps.db.transaction(async (tx) => {
    const schedule = await lockDue(tx, now)
    if (schedule === undefined) return false
    const timezone = (await deps.findMerchant(schedule.merNo))?.timezone ?? 'UTC'
    await insertExport(tx, exportOf(schedule, timezone, now))
    await updateNext(tx, schedule, nextRun(schedule.every, timezone, now))
    return true
  })
}

function exportOf(schedule: ScheduleRow, timezone: string, now: Date) {
  const { merNo, userId, list, columns, scheduleId, every } = schedule
  return {
    merNo,
    exportId: makeId('B', merNo, now),
    userId,
    list,
    filter: { ...schedule.filter, ...coveredDays(every, timezone, now) },
    columns,
    state: 'running' as const,
    rows: 0,
    reachedAt: null,
    reachedTradeNo: null,
    problem: '',
    scheduleId,
    createdAt: now,
    finishedAt: null,
    expiresAt: new Date(now.getTime() + EXPORT_DAYS_MS),
  }
}
