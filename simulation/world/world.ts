// Everything that a simulation runs: PostgreSQL, two nodes that serve, two that work in the background, the counterparties and
// the merchants as programs of their own, and between them proxies that can be disturbed.
import { randomBytes } from 'node:crypto'
import { chmodSync, createWriteStream, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programPath } from '../../bench/child.ts'
import { type Db, openDb } from '../../src/postgres/db.ts'
import { freePort } from '../../test/gateway-process.ts'
import { type Operator, operatorAt } from '../../test/operator.ts'
import { randomFor } from '../../test/random.ts'
import { giveSandboxKeys } from '../../test/rsa-keys.ts'
import { type Counter, createCounter } from '../counter.ts'
import { type History, openHistory } from '../history.ts'
import { openWitness, type Shop, type Witness } from '../witness.ts'
import { type HttpProxy, openHttpProxy } from './http-proxy.ts'
import { type Merchants, startMerchants } from './merchants.ts'
import { type Node, openNode, type Role } from './node.ts'
import { openPostgres, type Postgres } from './postgres.ts'
import { type Restartable, restartable } from './restartable.ts'
import { openTcpProxy, type TcpProxy } from './tcp-proxy.ts'

export type World = {
  readonly seed: number
  readonly folder: string
  /** The gateways' data folder; the counterparties' books are in it too. */
  readonly dataDir: string
  readonly masterKey: string
  readonly postgres: Postgres
  /** The simulation's own connections, which no fault reaches except those of PostgreSQL itself. */
  readonly db: Db
  readonly nodes: readonly Node[]
  /** The load balancer in front of the nodes that serve. */
  readonly front: TcpProxy
  /** Between the gateways and their counterparties. */
  readonly channels: HttpProxy
  /** Between the counterparties, payers and the gateways: callbacks pass it. */
  readonly callbacks: HttpProxy
  readonly counterparties: Restartable
  readonly merchants: Merchants
  readonly shops: readonly Shop[]
  /** The one among them that has a single small balance and spends it: only one operation acts for it. */
  readonly spender: Shop
  readonly operator: Operator
  readonly history: History
  /** Every fault that was injected. */
  readonly faults: Counter
  readonly witness: Witness
  /** Leaves the folder behind when the world closes: its logs, its history and the counterparties' books. */
  keepFolder(): void
  close(): Promise<void>
}

export type WorldOptions = {
  readonly seed: number
  /** `src/main.ts` of another version that takes turns with this one. */
  readonly otherVersion?: string
  readonly say: (line: string) => void
}

/** A minute of the notification schedule. */
const MINUTE_MS = 250
const CHANNEL_TIMEOUT_MS = 1_000
const SHOPS = 4
const SPENDER = 'spender.example'

const nodes: readonly (readonly [string, Role])[] = [
  ['api-1', 'api'],
  ['api-2', 'api'],
  ['worker-1', 'worker'],
  ['worker-2', 'worker'],
]

export async function openWorld({ seed, otherVersion, say }: WorldOptions): Promise<World> {
  const opened = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-simulation-'))
  let keepsFolder = false
  opened.defer(() => {
    if (!keepsFolder) rmSync(folder, { recursive: true, force: true })
  })
  // As root the server runs as another user, who must be able to pass through.
  chmodSync(folder, 0o711)
  const dataDir = join(folder, 'data')
  mkdirSync(dataDir)
  giveSandboxKeys(dataDir)
  const faults = createCounter()

  say('starting PostgreSQL, the counterparties, the merchants and four gateways …')
  const postgres = await openPostgres(folder, say)
  opened.defer(postgres.close)
  const merchants = await startMerchants(seed)
  opened.defer(merchants.close)

  const running: Node[] = []
  let turn = 0
  const front = await openTcpProxy({
    target() {
      const serving = running.filter((node) => node.role === 'api' && node.isRunning())
      const node = serving[turn++ % Math.max(serving.length, 1)]
      return node && { host: '127.0.0.1', port: node.port() }
    },
    onCut: () => faults.add('answer to a merchant cut'),
  })
  opened.defer(front.close)
  const callbacks = await openHttpProxy({
    target: () => `http://127.0.0.1:${front.port}`,
    random: randomFor(seed, 'callbacks'),
    mayFail: ({ url = '' }) => url.startsWith('/callbacks/'),
    lateMs: 2 * CHANNEL_TIMEOUT_MS,
    onFault: (kind) => faults.add(`callback: ${kind}`),
  })
  opened.defer(callbacks.close)

  const sandboxPort = await freePort()
  const channels = await openHttpProxy({
    target: () => `http://127.0.0.1:${sandboxPort}`,
    random: randomFor(seed, 'channels'),
    // A gateway that starts reads the settings of its channels here.
    mayFail: ({ method, url = '' }) => method === 'POST' && !url.endsWith('/settings'),
    lateMs: 2 * CHANNEL_TIMEOUT_MS,
    onFault: (kind) => faults.add(`channel: ${kind}`),
  })
  opened.defer(channels.close)
  const secret = randomBytes(24).toString('hex')
  const counterparties = restartable(async () => ({
    name: 'the counterparties',
    args: [programPath('../sandbox/main.ts')],
    env: {
      TOLLGATE_DATA_DIR: dataDir,
      TOLLGATE_MINUTE_MS: String(MINUTE_MS),
      TOLLGATE_SANDBOX_PORT: String(sandboxPort),
      TOLLGATE_SANDBOX_SECRET: secret,
      TOLLGATE_SANDBOX_PUBLIC_URL: channels.url,
    },
  }))
  opened.defer(counterparties.kill)
  await counterparties.start()

  const own = programPath('../src/main.ts')
  for (const [name, role] of nodes) {
    const log = createWriteStream(join(folder, `${name}.log`))
    const node = await openNode({
      name,
      role,
      folder,
      socket: postgres.socket,
      programs: otherVersion === undefined ? [own] : [otherVersion, own],
      settings: {
        TOLLGATE_DATA_DIR: dataDir,
        TOLLGATE_BASE_URL: callbacks.url,
        TOLLGATE_MASTER_KEY: secretKey(seed),
        TOLLGATE_MINUTE_MS: String(MINUTE_MS),
        TOLLGATE_CHANNEL_TIMEOUT_MS: String(CHANNEL_TIMEOUT_MS),
        TOLLGATE_SANDBOX_URL: channels.url,
        TOLLGATE_SANDBOX_SECRET: secret,
        TOLLGATE_LOG_LEVEL: 'warn',
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
      },
      onOutput: (text) => log.write(text),
      onCut: () => faults.add('answer of the database cut'),
    })
    running.push(node)
    opened.defer(node.close)
  }
  // The first one migrates the database.
  await running[0]?.start()
  await Promise.all(running.map((node) => node.start()))
  const operator = operatorAt({ databaseUrl: postgres.url, dataDir, masterKey: secretKey(seed) })
  const baseUrl = `http://127.0.0.1:${front.port}`
  const spender = await createShop(operator, baseUrl, SPENDER)
  const shops = [...(await createShops(operator, baseUrl)), spender]
  const db = openDb({ connection: postgres.connection, maxConnections: 4 })
  opened.defer(() => db.close())
  const history = openHistory(join(folder, 'history.ndjson'))
  opened.defer(history.close)
  return {
    seed,
    folder,
    dataDir,
    masterKey: secretKey(seed),
    postgres,
    db,
    nodes: running,
    front,
    channels,
    callbacks,
    counterparties,
    merchants,
    shops,
    spender,
    operator,
    history,
    faults,
    witness: openWitness(seed),
    keepFolder: () => {
      keepsFolder = true
    },
    close: () => opened.disposeAsync(),
  }
}

/** Every currency of the operations, every fee, reviews, and limits that an hour does not reach. */
const terms = [
  ...['--currencies', 'USD,EUR,JPY,CNY,HKD,PHP,BRL,MXN,PEN,VND'],
  ...['--fee-bps', '250', '--fee-fixed', '0.30', '--margin-bps', '500'],
  ...['--refund-fee', '0.20', '--chargeback-fee', '15.00'],
  ...['--payout-fee-bps', '100', '--payout-fee-fixed', '0.50'],
  ...['--review-above', '300.00', '--notify-review', 'on'],
  ...['--limit-daily', '100000000', '--limit-monthly', '1000000000'],
]

async function createShops(operator: Operator, baseUrl: string): Promise<Shop[]> {
  const shops: Shop[] = []
  for (let at = 1; at <= SHOPS; at++) {
    const site = `shop-${at}.example`
    // One of them settles in another currency.
    const settles = at === SHOPS ? ['--settle-currency', 'USD'] : []
    shops.push(await createShop(operator, baseUrl, site, settles))
  }
  return shops
}

async function createShop(
  operator: Operator,
  baseUrl: string,
  site: string,
  settles: readonly string[] = [],
): Promise<Shop> {
  const name = ['--name', site, '--site', site]
  const made = await operator.run('merchant', 'create', ...name, ...terms, ...settles)
  const { merNo, key, webhookSecret } = made
  return { baseUrl, site, merNo: Number(merNo), key: String(key), webhookSecret: String(webhookSecret) }
}

function secretKey(seed: number): string {
  return seed.toString(16).padStart(64, '0')
}
