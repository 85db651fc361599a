// A delivery worker as a separate process that tests kill. It reads DATABASE_URL, the master key and times from the
// environment. HAND_OVER is a notification that the process stores itself and hands over to its own worker.

import { openOutbox } from '../../src/money/notifications/hand-over.ts'
import { openVault } from '../../src/platform/base/secret.ts'
import { openDb } from '../../src/platform/postgres/db.ts'
import { startTestDelivery } from './delivery.ts'
import { fastPaths } from './fast-paths.ts'

const { DATABASE_URL = '', MASTER_KEY = '', TIMEOUT_MS = '', MINUTE_MS = '', HAND_OVER } = process.env
const db = openDb({
  connection: { connectionString: DATABASE_URL },
  maxConnections: 4,
  pipeline: fastPaths.pipeline,
})
const vault = openVault(Buffer.from(MASTER_KEY, 'hex'))
const times = { minuteMs: Number(MINUTE_MS), timeoutMs: Number(TIMEOUT_MS) }
const worker = startTestDelivery(db, vault, times)
if (HAND_OVER !== undefined) {
  const one = JSON.parse(HAND_OVER)
  const outbox = openOutbox(worker)
  await db.atOnce(outbox.insert([{ ...one, at: new Date(one.at) }]))
  outbox.committed()
}
