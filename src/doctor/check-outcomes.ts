import type { Clock } from '../base/clock.ts'
import { countOverdue } from '../order-queries/count-overdue.ts'
import type { Queryable } from '../postgres/db.ts'
import type { Finding } from './checks.ts'

const DAY_MS = 86_400_000

/** Warns of payments, refunds, payouts and returns about which the channel has said nothing final for too long. */
export async function checkOutcomes(db: Queryable, clock: Clock): Promise<Finding> {
  const check = 'outcomes'
  const now = clock.now()
  const { count, oldest } = await countOverdue(db, now)
  if (oldest === undefined)
    return { check, status: 'ok', found: 'none has been unknown for a day, or on its way for a week' }
  const { kind, id, since } = oldest
  const days = Math.floor((now.getTime() - since.getTime()) / DAY_MS)
  const more = count === 1 ? '' : `, and ${count - 1} more`
  const long = days === 1 ? 'a day' : `${days} days`
  const found = `the channel has not said for ${long} how ${kind} ${id} ended${more}`
  const todo =
    kind === 'return'
      ? 'ask the channel, and see "review list"'
      : 'see "outcome list"; ask the channel, then decide with "outcome decide"'
  return { check, status: 'warn', found, todo }
}
