// Writes a line of the audit log in the transaction of the change that the line describes.
// See docs/decisions/0225-audit-line-in-the-transaction.md.
import { makeId } from '../base/id.ts'
import type { Db, Tx } from '../postgres/db.ts'
import type { AuditEntry } from './entry.ts'
import { insertEntry } from './sql.ts'

export async function writeAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  await insertEntry(tx, makeId('L', entry.merNo, entry.at), entry)
}

/** A line, or a function that makes the line from the transaction's result, such as the number of a new merchant. */
type LineOf = AuditEntry | ((result: unknown) => AuditEntry)

/**
 * Returns a database whose first transaction also writes the line. If that transaction rolls back, the next one writes
 * the line.
 */
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
