// Everything that a simulation runs: PostgreSQL, two nodes that serve requests, two nodes that run workers, the
// counterparties and the merchants as separate programs, and proxies between them. The simulation injects faults into
// all of them.
import { randomBytes } from 'node:crypto'
import { chmodSync, createWriteStream, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programPath } from '../../bench/child.ts'
import { type Db, openDb } from '../../src/platform/postgres/db.ts'
import { giveSandboxKeys } from '../../test/builders/rsa-keys.ts'
import { freePort } from '../../test/harness/gateway-process.ts'
import { type Operator, operatorAt } from '../../test/harness/operator.ts'
import { randomFor } from '../../test/harness/random.ts'
import { type Counter, createCounter } from '../counter.ts'
import { type History, openHistory } from '../history.ts'
import { openWitness, type Shop, type Witness } from '../witness.ts'
import { type Calls, createCalls } from './calls.ts'
import { type HttpProxy, openHttpProxy } from './http-proxy.ts'
import { type Merchants, startMerchants } from './merchants.ts'
import { type Node, openNode, type Role } from './node.ts'
import { type Office, openOffice } from './office.ts'
import { openPostgres, type Postgres } from './postgres.ts'
import { type Restartable, restartable } from './restartable.ts'
import { openTcpProxy, type TcpProxy } from './tcp-proxy.ts'

export type World = {
  readonly seed: number
  readonly folder: string
  /** The gateways' data folder, which also contains the counterparties' books. */
  readonly dataDir: string
  readonly masterKey: string
  /** The secret that the gateways share with their counterparties. */
  readonly counterpartySecret: string
  readonly postgres: Postgres
  /** The simulation's own connections to the database. Only faults of PostgreSQL itself affect these connections. */
  readonly db: Db
  readonly nodes: readonly Node[]
  /** The load balancer in front of the nodes that serve. */
  readonly front: TcpProxy
  /** The proxy between the gateways and their counterparties. */
  readonly channels: HttpProxy
  /** The proxy to the gateways for callbacks of counterparties and for payers' browsers. */
  readonly callbacks: HttpProxy
  readonly counterparties: Restartable
  readonly merchants: Merchants
  readonly shops: readonly Shop[]
  /** The shop with a single small balance, which one operation spends. Other operations do not act for this shop. */
  readonly spender: Shop
  /** The shops that refund on their refund credit. Only one operation acts for these shops. */
  readonly debtors: readonly Debtor[]
  /** The shops for which all other operations act. */
  readonly actingShops: readonly Shop[]
  readonly operator: Operator
  readonly office: Office
  /** Finds calls about refunds and payouts that were already decided. */
  readonly calls: Calls
  readonly history: History
  /** Counts the injected faults by name. */
  readonly faults: Counter
  readonly witness: Witness
  /** Keeps the folder with the logs, the history and the counterparties' books when the world closes. */
  keepFolder(): void
  close(): Promise<void>
}

export type WorldOptions = {
  readonly seed: number
  /**
   * The path of `src/gateway/main.ts` of another version. The starts of a node alternate between this version and our
   * own.
   */
  readonly otherVersion?: string
  readonly say: (line: string) => void
}

/** The length of a minute for the notification schedule and for the counterparties. */
const MINUTE_MS = 250
const CHANNEL_TIMEOUT_MS = 1_000
const SHOPS = 4
const SPENDER = 'spender.example'

/** A shop with a refund credit. */
export type Debtor = Shop & {
  /** The refund credit in US dollars. */
  readonly credit: string
}

/**
 * The refund credit of the first debtor covers the fees of one small payment, but not the fees of a large payment. The
 * second debtor's debts only grow.
 */
const DEBTORS = [
  { site: 'debtor.example', credit: '1.00' },
  { site: 'ever-deeper.example', credit: '1000.00' },
]

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
  // If the simulation runs as root, PostgreSQL runs as another user, who must be able to enter the folder.
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
  const calls = createCalls()
  const channels = await openHttpProxy({
    target: () => `http://127.0.0.1:${sandboxPort}`,
    random: randomFor(seed, 'channels'),
    // A starting gateway reads its channels' settings by a call to `/settings`. This call must not fail.
    mayFail: ({ method, url = '' }) => method === 'POST' && !url.endsWith('/settings'),
    lateMs: 2 * CHANNEL_TIMEOUT_MS,
    onFault: (kind) => faults.add(`channel: ${kind}`),
    onCall: (url, body) => calls.note(url, body),
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

  const own = programPath('../src/gateway/main.ts')
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
  // The first node migrates the database before the others start.
  await running[0]?.start()
  await Promise.all(running.map((node) => node.start()))
  const operator = operatorAt({ databaseUrl: postgres.url, dataDir, masterKey: secretKey(seed) })
  const baseUrl = `http://127.0.0.1:${front.port}`
  const spender = await createShop(operator, baseUrl, SPENDER)
  const debtors: Debtor[] = []
  for (const { site, credit } of DEBTORS)
    debtors.push({ ...(await createShop(operator, baseUrl, site, ['--refund-credit', credit])), credit })
  const actingShops = await createShops(operator, baseUrl)
  const shops = [...actingShops, spender, ...debtors]
  const db = openDb({ connection: postgres.connection, maxConnections: 6 })
  opened.defer(() => db.close())
  calls.watch(db)
  const office = await openOffice(db, callbacks.url, shops)
  const history = openHistory(join(folder, 'history.ndjson'))
  opened.defer(history.close)
  return {
    seed,
    folder,
    dataDir,
    masterKey: secretKey(seed),
    counterpartySecret: secret,
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
    debtors,
    actingShops,
    operator,
    office,
    calls,
    history,
    faults,
    witness: openWitness(seed),
    keepFolder: () => {
      keepsFolder = true
    },
    close: () => opened.disposeAsync(),
  }
}

/**
 * The terms of all shops: ten currencies, all kinds of fees, reviews, and limits that a run of an hour cannot use up.
 */
const terms = [
  ...['--currencies', 'USD,EUR,JPY,CNY,HKD,PHP,BRL,MXN,PEN,VND'],
  ...['--fee-bps', '250', '--fee-fixed', '0.30', '--margin-bps', '500'],
  ...['--refund-fee', '0.20', '--chargeback-fee', '15.00'],
  ...['--payout-fee-bps', '100', '--payout-fee-fixed', '0.50'],
  ...['--review-above', '300.00', '--notify-review', 'on'],
  ...['--limit-daily', '100000000', '--limit-monthly', '1000000000'],
]

/** Additional terms by the number of the shop. */
const peculiarities: Readonly<Record<number, readonly string[]>> = {
  2: ['--approve-refunds', 'on'],
  3: ['--payout-approval', '20.00'],
  [SHOPS]: ['--settle-currency', 'USD'],
}

async function createShops(operator: Operator, baseUrl: string): Promise<Shop[]> {
  const shops: Shop[] = []
  for (let at = 1; at <= SHOPS; at++) {
    const site = `shop-${at}.example`
    shops.push(await createShop(operator, baseUrl, site, peculiarities[at] ?? []))
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
