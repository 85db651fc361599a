// A delivery worker as a separate process that tests kill. It reads DATABASE_URL, the master key and times from the
// environment.
import { pino } from 'pino'
import { systemClock } from '../src/base/clock.ts'
import { openVault } from '../src/base/secret.ts'
import { createAddressGuard } from '../src/http/client/address-guard.ts'
import { openPosting } from '../src/http/client/open-posting.ts'
import { loadMerchants } from '../src/merchants/load-merchants.ts'
import { createSender } from '../src/notifications/send.ts'
import { startDelivery } from '../src/notifications/worker.ts'
import { openDb } from '../src/postgres/db.ts'
import { fastPaths } from './fast-paths.ts'
import { rsaPair } from './rsa-keys.ts'

const { DATABASE_URL = '', MASTER_KEY = '', TIMEOUT_MS = '', MINUTE_MS = '' } = process.env
const db = openDb({
  connection: { connectionString: DATABASE_URL },
  maxConnections: 4,
  pipeline: fastPaths.pipeline,
})
const vault = openVault(Buffer.from(MASTER_KEY, 'hex'))
const guard = createAddressGuard({ loopbackAllowed: true, allow: [], ports: 'any' })
const timeoutMs = Number(TIMEOUT_MS)

startDelivery({
  db,
  clock: systemClock,
  log: pino({ level: 'silent' }),
  platformKey: rsaPair('platform').privateKey,
  findMerchant: async (merNo) => (await loadMerchants(db, vault, [merNo], new Date())).get(merNo),
  sender: createSender({ posting: openPosting(guard, { raw: fastPaths.rawClient }), timeoutMs }),
  minuteMs: Number(MINUTE_MS),
  timeoutMs,
})
