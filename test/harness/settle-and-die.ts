// A settlement run that kills itself with SIGKILL at one of its statement boundaries. A test runs it as a process.
// Arguments: the address of the database, and the number of the boundary. The process exits with status 0 if the run
// has fewer boundaries.

import { settleDue } from '../../src/money/settlement/settle-due.ts'
import { openDb } from '../../src/platform/postgres/db.ts'
import { dyingAt } from './dying-db.ts'
import { fastPaths } from './fast-paths.ts'

const [url = '', boundary = ''] = process.argv.slice(2)
const db = openDb({ connection: { connectionString: url }, maxConnections: 2, pipeline: fastPaths.pipeline })
const failed = (_merNo: number, error: unknown) => {
  throw error
}
const asOf = new Date(Date.now() + 1000 * 86_400_000)
await settleDue(
  { db: dyingAt(db, Number(boundary)), clock: { now: () => new Date() }, failed, batchSize: 2 },
  asOf,
)
await db.close()
