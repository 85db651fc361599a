// Reports by mail that deliveries to a merchant were given up: once an hour, because a shop that is down fails thousands.
import type { Logger } from 'pino'
import type { Clock } from '../base/clock.ts'
import { enqueueAlert } from '../mail/enqueue-alert.ts'
import type { Db } from '../postgres/db.ts'
import type { Claimed } from './claim-sql.ts'

export type FailureAlerts = {
  /** Does not wait, and does not fail. */
  report(claimed: Pick<Claimed, 'merNo' | 'url' | 'fields'>): void
}

const PAUSE_MS = 3_600_000
const MOST_REMEMBERED = 10_000

type AlertDeps = { readonly db: Db; readonly clock: Clock; readonly log: Logger }

export function createFailureAlerts({ db, clock, log }: AlertDeps): FailureAlerts {
  /** The database counts for all nodes; this spares it a statement for each further failure. */
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
