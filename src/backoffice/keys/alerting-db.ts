import { enqueueAlert, type NewAlert } from '../../mail/enqueue-alert.ts'
import type { Db } from '../../postgres/db.ts'

/** Every transaction also stores the alert, so that it is sent if the change was made and only then. */
export function alerting(db: Db, alert: NewAlert): Db {
  return {
    ...db,
    transaction: (work, options) =>
      db.transaction(async (tx) => {
        const result = await work(tx)
        await enqueueAlert(tx, alert)
        return result
      }, options),
  }
}
