// `npm run demo`: a demo shop, with the running sandbox or with a sandbox that it starts and stops itself.
import { resolve } from 'node:path'
import { removeShopPort, writeShopPort } from '../src/operator/demo/shop-address.ts'
import { SettingError } from '../src/platform/errors/catalogue.ts'
import { findOrStartGateway } from './gateway.ts'
import { openShop } from './server.ts'

const opened = new AsyncDisposableStack()
let isStopping = false
stopOnSignal()
try {
  await start()
} catch (error) {
  await opened.disposeAsync()
  if (isStopping) process.exit(0)
  if (error instanceof SettingError) console.error(`The demo shop does not start: ${error.message}.`)
  else console.error(error)
  process.exit(1)
}

async function start(): Promise<void> {
  const { env } = process
  if (env.TOLLGATE_MODE === 'live')
    throw new SettingError('TOLLGATE_MODE is live, and the shop is for the sandbox: unset it')
  const port = portIn(env.SHOP_PORT || '8090')
  const dataDir = resolve(env.TOLLGATE_DATA_DIR || './data')
  const gateway = await findOrStartGateway(dataDir, opened)
  const shop = await openShop({ merchant: gateway.demo, port })
  opened.defer(shop.close)
  writeShopPort(dataDir, shop.port)
  opened.defer(() => removeShopPort(dataDir))
  gateway.ended.then(() => stopWith(1, 'The gateway ended, so the shop ends, too.'))
  console.log(`ready: demo shop at ${shop.url}, gateway at ${gateway.demo.baseUrl}`)
  console.log(
    `Open ${shop.url} in a browser. Ctrl-C ends the shop${gateway.isOurs ? ' and the gateway' : ''}.`,
  )
}

function portIn(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (port >= 1 && port <= 65_535) return port
  throw new SettingError('SHOP_PORT must be a whole number from 1 to 65535')
}

/** After Ctrl-C, the terminal and npm each send a signal. The second signal changes nothing. */
function stopOnSignal(): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stopWith(0))
}

async function stopWith(status: number, why?: string): Promise<void> {
  if (isStopping) return
  isStopping = true
  if (why !== undefined) console.error(why)
  await opened.disposeAsync()
  process.exit(status)
}
