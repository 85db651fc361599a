// Puts a line of the audit log into the transaction of the change that it describes. Use cases take a database and open
// their own transaction, so they need not know of the log.
import type { Db } from '../postgres/db.ts'
import type { AuditEntry } from './entry.ts'
import { writeAudit } from './write-entry.ts'

/** `result` is what the transaction returned: the number of a new merchant is known only then. */
export type LineOf = AuditEntry | ((result: unknown) => AuditEntry)

/** The first transaction that commits also writes the line; one that is undone leaves none. */
export function audited(db: Db, line: LineOf): Db {
  let isWritten = false
  return {
    ...db,
    async transaction(work, options) {
      if (isWritten) return db.transaction(work, options)
      const result = await db.transaction(async (tx) => {
        const done = await work(tx)
        await writeAudit(tx, typeof line === 'function' ? line(done) : line)
        return done
      }, options)
      isWritten = true
      return result
    },
  }
}
