import type { Clock } from '../../platform/base/clock.ts'
import { merNoOf } from '../../platform/base/id.ts'
import { formatMoney } from '../../platform/base/money.ts'
import { OperatorRefusal } from '../../platform/errors/catalogue.ts'
import { enqueueAlerts } from '../../platform/mail/enqueue-mail.ts'
import { mailMoment } from '../../platform/mail/mail.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import type { Chargeback } from './chargeback.ts'
import { lockUndecided, takeDueReminders, updateDeadline } from './sql.ts'

/** Sets the deadline of the order's open dispute, if the channel's deadline differs from the usual one. */
export function setDeadline(db: Db, tradeNo: string, answerBy: Date): Promise<void> {
  return db.transaction(async (tx) => updateDeadline(tx, await lockDispute(tx, tradeNo), answerBy))
}

/** Returns the deadline of the order's open dispute, and locks the dispute until the transaction ends. */
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
 * Reminds merchants of open disputes three days and one day before the deadline. If less than one day is left when the
 * deadline is set, the merchant gets only one reminder.
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
      const values = { orderNo: merOrderNo, amount: formatMoney(money), due: mailMoment(answerBy) }
      return { merNo, kind: 'dispute-due' as const, values, now }
    })
    await enqueueAlerts(tx, alerts)
    return due.length
  })
}
