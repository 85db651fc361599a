// Reminds merchants of disputes whose deadline comes near: three days before it, and one day before it, once each.
import type { Clock } from '../base/clock.ts'
import { formatAmount } from '../base/money.ts'
import { enqueueAlerts } from '../mail/enqueue-alert.ts'
import { mailMoment } from '../mail/mail.ts'
import type { Db } from '../postgres/db.ts'
import { takeDueReminders } from './sql.ts'

const DAY_MS = 86_400_000
const MOST_AT_ONCE = 500

/** Returns how many reminders were written. */
export function remindOfDeadlines({
  db,
  clock,
}: {
  readonly db: Db
  readonly clock: Clock
}): Promise<number> {
  const now = clock.now()
  const inDays = (days: number) => new Date(now.getTime() + days * DAY_MS)
  return db.transaction(async (tx) => {
    const spans = { now, first: inDays(3), last: inDays(1), limit: MOST_AT_ONCE }
    const due = await takeDueReminders(tx, spans)
    const alerts = due.map(({ merNo, merOrderNo, money, answerBy }) => {
      const amount = `${formatAmount(money.amount, money.currency)} ${money.currency}`
      const values = { orderNo: merOrderNo, amount, due: mailMoment(answerBy) }
      return { merNo, kind: 'dispute-due' as const, values, now }
    })
    await enqueueAlerts(tx, alerts)
    return due.length
  })
}
