// A database connection that kills its process with SIGKILL at the Nth boundary between two statements: after the begin
// of a transaction, after each statement, and after a commit.
import type { Db, Queryable } from '../../src/platform/postgres/db.ts'

export function dyingAt(db: Db, boundary: number): Db {
  let passed = 0
  const pass = () => {
    if (++passed === boundary) process.kill(process.pid, 'SIGKILL')
  }
  const counted = (inner: Queryable): Queryable => ({
    async query(statement) {
      const rows = await inner.query<never>(statement)
      pass()
      return rows
    },
  })
  return {
    ...db,
    ...counted(db),
    async transaction(work) {
      const result = await db.transaction((tx) => {
        pass()
        return work({ inTransaction: true, ...counted(tx) })
      })
      pass()
      return result
    },
  }
}
