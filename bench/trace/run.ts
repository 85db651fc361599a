// `npm run trace`: the files of src that one card payment runs, in order. The gateway runs in this thread as in live,
// with its fast paths and a card channel over HTTP; the observer in a second thread sends payments and watches this
// thread.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { openGateway } from '../../src/gateway/gateway.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { openLog } from '../../src/platform/runtime/log.ts'
import { openDatabase } from '../../src/platform/runtime/open-database.ts'
import { freePort } from '../../test/harness/gateway-process.ts'
import { thisCheckout } from '../checkout.ts'
import { programPath, startChild } from '../child.ts'
import { createShops } from '../gateway-under-test.ts'
import { openPlace } from '../place.ts'
import type { Observed, ToObserve } from './observe-payment.ts'
import { printPath } from './payment-path.ts'

const SECRET = 'a secret between the trace and its issuer'
const NOTIFY_URL = 'https://shop.example/notify'

const place = await openPlace()
const issuer = await startIssuer()
const config = readConfig({
  TOLLGATE_MODE: 'live',
  // Workers run by timers: their functions would appear among those of the payment.
  TOLLGATE_ROLE: 'api',
  TOLLGATE_BASE_URL: 'https://pay.example',
  TOLLGATE_TRUSTED_PROXIES: 'none',
  TOLLGATE_CHANNELS: writeChannels(issuer.url),
  // The payment stops at every function, so nothing may time out meanwhile.
  TOLLGATE_CHANNEL_TIMEOUT_MS: '60000',
  TOLLGATE_DATA_DIR: place.makeFolder('gateway'),
  TOLLGATE_MASTER_KEY: place.masterKey,
  DATABASE_URL: await place.createDatabase('trace'),
  PORT: String(await freePort()),
})
const log = openLog('error')
const database = await openDatabase(config, (line) => log.info(line), 'gateway')
const gateway = await openGateway({ config, db: database.db, log })
try {
  await gateway.listen()
  const shops = await createShops(database.db, place.masterKey, thisCheckout, 1)
  const source = { shops, notifyUrl: NOTIFY_URL, prefix: 'TRACE-' }
  printPath(await observe({ port: config.port, source }))
} finally {
  await gateway.close()
  await database.close()
  await issuer.stop()
  await place.remove()
}

async function startIssuer() {
  const port = await freePort()
  const env = { PORT: String(port), TOLLGATE_SANDBOX_SECRET: SECRET }
  const child = await startChild({ name: 'the issuer', args: [programPath('./lean-issuer.ts')], env })
  return { ...child, url: child.readiness }
}

function writeChannels(url: string): string {
  const file = join(place.makeFolder('channels'), 'channels.json')
  const card = { name: 'card', method: 'card', url, secret: SECRET }
  writeFileSync(file, JSON.stringify([card]), { mode: 0o600 })
  return file
}

function observe(work: ToObserve): Promise<Observed> {
  const worker = new Worker(programPath('./trace/observe-payment.ts'), { workerData: work })
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}
