// Reports to a merchant by mail that the gateway gave up deliveries. While a merchant's server is down, thousands of
// deliveries fail. So a merchant gets at most one such mail an hour.
import type { Logger } from 'pino'
import type { Clock } from '../../platform/base/clock.ts'
import { enqueueAlert } from '../../platform/mail/enqueue-mail.ts'
import type { Db } from '../../platform/postgres/db.ts'
import type { Claimed } from './claim-sql.ts'

export type FailureAlerts = {
  /** Reports a failure in the background. Never throws. */
  report(claimed: Pick<Claimed, 'merNo' | 'url' | 'fields'>): void
}

const PAUSE_MS = 3_600_000
const MOST_REMEMBERED = 10_000

type AlertDeps = { readonly db: Db; readonly clock: Clock; readonly log: Logger }

export function createFailureAlerts({ db, clock, log }: AlertDeps): FailureAlerts {
  /**
   * The time, by merchant, from which this node may report a failure again. The database enforces the pause for all
   * nodes. The map saves the statements for further failures during the pause.
   */
  const untilMs = new Map<number, number>()
  return {
    report({ merNo, url, fields }) {
      const now = clock.now()
      if ((untilMs.get(merNo) ?? 0) > now.getTime()) return
      if (untilMs.size >= MOST_REMEMBERED) untilMs.clear()
      untilMs.set(merNo, now.getTime() + PAUSE_MS)
      const values = { orderNo: String(fields.merOrderNo ?? fields.tradeNo ?? fields.refundNo ?? ''), url }
      db.transaction((tx) => enqueueAlert(tx, { merNo, kind: 'delivery-failed', values, now })).catch((err) =>
        log.error({ err, merNo }, 'the alert of a failed delivery could not be stored'),
      )
    },
  }
}
