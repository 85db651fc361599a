// A delivery worker as a separate process that tests kill. It reads DATABASE_URL, the master key and times from the
// environment.
import { openVault } from '../src/base/secret.ts'
import { openDb } from '../src/postgres/db.ts'
import { startTestDelivery } from './delivery.ts'
import { fastPaths } from './fast-paths.ts'

const { DATABASE_URL = '', MASTER_KEY = '', TIMEOUT_MS = '', MINUTE_MS = '' } = process.env
const db = openDb({
  connection: { connectionString: DATABASE_URL },
  maxConnections: 4,
  pipeline: fastPaths.pipeline,
})
const vault = openVault(Buffer.from(MASTER_KEY, 'hex'))
startTestDelivery(db, vault, { minuteMs: Number(MINUTE_MS), timeoutMs: Number(TIMEOUT_MS) })
