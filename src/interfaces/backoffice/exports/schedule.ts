// Scheduled exports: every day or every week, an hour after the merchant's midnight.
import type { Merchant } from '../../../money/merchants/merchant.ts'
import { makeId } from '../../../platform/base/id.ts'
import { addDays, localDay, startOfDay } from '../../../platform/base/local-day.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import { insertExport, lockDue, type ScheduleRow, updateNext } from './sql.ts'

export const EXPORT_DAYS_MS = 7 * 86_400_000

/** The wait after midnight. By then, most of the day's last payments have an outcome. */
const AFTER_MIDNIGHT_MS = 3_600_000
const MONDAY = 1

export function nextRun(every: 'day' | 'week', timezone: string, now: Date): Date {
  const today = localDay(now, timezone)
  for (let days = 0; ; days++) {
    const day = addDays(today, days)
    const at = new Date(startOfDay(day, timezone).getTime() + AFTER_MIDNIGHT_MS)
    const isDay = every === 'day' || new Date(`${day}T00:00:00Z`).getUTCDay() === MONDAY
    if (isDay && at > now) return at
  }
}

/** Returns the days of an export: yesterday, or the seven days before today. */
export function coveredDays(every: 'day' | 'week', timezone: string, at: Date) {
  const today = localDay(at, timezone)
  return { from: addDays(today, every === 'day' ? -1 : -7), to: addDays(today, -1) }
}

/** Starts the export of one due schedule, over the days before it was due. Returns false if no schedule is due. */
export function startScheduled(
  deps: { readonly db: Db; findMerchant(merNo: number): Promise<Merchant | undefined> },
  now: Date,
): Promise<boolean> {
  return deps.db.transaction(async (tx) => {
    const schedule = await lockDue(tx, now)
    if (schedule === undefined) return false
    const timezone = (await deps.findMerchant(schedule.merNo))?.timezone ?? 'UTC'
    await insertExport(tx, exportOf(schedule, timezone, now))
    await updateNext(tx, schedule, followingRun(schedule, timezone, now))
    return true
  })
}

/**
 * Returns the time of the next export. After an outage, each export of the last days that was missed is made. Older ones
 * are left out: their files would be deleted by now.
 */
export function followingRun(
  { every, nextAt }: Pick<ScheduleRow, 'every' | 'nextAt'>,
  timezone: string,
  now: Date,
): Date {
  const oldest = new Date(now.getTime() - EXPORT_DAYS_MS)
  return nextRun(every, timezone, nextAt > oldest ? nextAt : oldest)
}

function exportOf(schedule: ScheduleRow, timezone: string, now: Date) {
  const { merNo, userId, list, columns, scheduleId, every, nextAt } = schedule
  return {
    merNo,
    exportId: makeId('B', merNo, now),
    userId,
    list,
    filter: { ...schedule.filter, ...coveredDays(every, timezone, nextAt) },
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
