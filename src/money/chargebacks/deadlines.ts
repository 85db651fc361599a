// Sets the deadline for the merchant's evidence in a dispute, and reminds merchants of the deadline.
import type { Clock } from '../../platform/base/clock.ts'
import { merNoOf } from '../../platform/base/id.ts'
import { formatAmount } from '../../platform/base/money.ts'
import { OperatorRefusal } from '../../platform/errors/catalogue.ts'
import { enqueueAlerts } from '../../platform/mail/enqueue-mail.ts'
import { mailMoment } from '../../platform/mail/mail.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import type { Chargeback } from './chargeback.ts'
import { lockUndecided, takeDueReminders, updateDeadline } from './sql.ts'

/** Sets the deadline of the order's open dispute, for a channel whose deadline is not the usual one. */
export function setDeadline(db: Db, tradeNo: string, answerBy: Date): Promise<void> {
  return db.transaction(async (tx) => updateDeadline(tx, await lockDispute(tx, tradeNo), answerBy))
}

/** Locks the order's open dispute until the transaction ends, and returns the deadline. */
export async function lookAtDeadline(tx: Tx, tradeNo: string): Promise<{ readonly answerBy: Date | null }> {
  const { answerBy = null } = await lockDispute(tx, tradeNo)
  return { answerBy }
}

async function lockDispute(tx: Tx, tradeNo: string): Promise<Chargeback> {
  const found = await lockUndecided(tx, { merNo: merNoOf(tradeNo) ?? -1, tradeNo })
  if (found === undefined) throw new OperatorRefusal(`order ${tradeNo} has no open chargeback`)
  return found
}

const DAY_MS = 86_400_000
const MOST_AT_ONCE = 500

/**
 * Reminds merchants of a dispute three days and one day before its deadline. If the deadline is set less than one day
 * ahead, there is only one reminder. Returns how many reminders were written.
 */
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
