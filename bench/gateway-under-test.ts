// A gateway as an operator runs it: a process with its own database on the shared server, and fifty merchants.
import { join } from 'node:path'
import { openVault } from '../src/platform/base/secret.ts'
import type { Db } from '../src/platform/postgres/db.ts'
import { freePort } from '../test/harness/gateway-process.ts'
import { type Books, openBooks } from './books.ts'
import { databaseTools, merchantTools, startFlags, thisCheckout } from './checkout.ts'
import { type Child, startChild } from './child.ts'
import type { Target } from './load.ts'
import type { Place } from './place.ts'
import type { Shop } from './shop.ts'

export type GatewayUnderTest = {
  readonly name: string
  readonly shops: readonly Shop[]
  readonly databaseUrl: string
  readonly books: Books
  readonly nodes: readonly Node[]
  readonly issuerPid?: number | undefined
  /** The notification address of its shops; default: the session's receiver. */
  readonly notifyUrl?: string | undefined
  stop(): Promise<void>
}

export type Node = Child & { readonly port: number }

/** The program of a gateway and its counterparties. */
export type Shape = {
  /** The program, relative to the checkout. */
  readonly program: string
  readonly settings: Readonly<Record<string, string>>
  /** The process whose processor time is the issuer's. */
  readonly issuerPid?: number
}

export type GatewayOptions = {
  readonly name: string
  readonly nodes?: number
  readonly shape: Shape
  /** Changes to the settings of the shape. */
  readonly settings?: Readonly<Record<string, string>>
  /** The folder of the version to run; default: this one. */
  readonly checkout?: string
  readonly notifyUrl?: string
}

const MERCHANTS = 50
const SITE = 'shop.example'

export async function startGateway(place: Place, options: GatewayOptions): Promise<GatewayUnderTest> {
  const { name, nodes = 1, shape, checkout = thisCheckout, notifyUrl } = options
  const url = await place.createDatabase(`bench_${name}`)
  const settings = {
    DATABASE_URL: url,
    TOLLGATE_DATA_DIR: place.makeFolder(name),
    TOLLGATE_MASTER_KEY: place.masterKey,
    TOLLGATE_LOG_LEVEL: 'warn',
    ...shape.settings,
    ...options.settings,
  }
  const started: Node[] = []
  for (let at = 0; at < nodes; at++) started.push(await startNode(name, checkout, shape.program, settings))
  const { openDb } = await databaseTools(checkout)
  const db = openDb({ connection: { connectionString: url }, maxConnections: 2 })
  const shops = await createShops(db, place.masterKey, checkout)
  return {
    name,
    shops,
    databaseUrl: url,
    books: openBooks(name, db, checkout),
    nodes: started,
    issuerPid: shape.issuerPid,
    notifyUrl,
    async stop() {
      await Promise.all(started.map((node) => node.stop()))
      await db.close()
    },
  }
}

async function startNode(
  name: string,
  checkout: string,
  program: string,
  settings: Readonly<Record<string, string>>,
): Promise<Node> {
  const port = await freePort()
  const { flags, env } = startFlags(checkout)
  const child = await startChild({
    name: `the gateway "${name}"`,
    args: [...flags, join(checkout, program)],
    env: { ...env, ...settings, PORT: String(port) },
    cwd: checkout,
  })
  return { ...child, port }
}

/**
 * Creates shops with fees and a margin, so that every payment books all its entries. Their limits are checked and never
 * reached.
 */
export async function createShops(
  db: Db,
  masterKey: string,
  checkout = thisCheckout,
  count = MERCHANTS,
): Promise<Shop[]> {
  const { createMerchant, readOptions } = await merchantTools(checkout)
  const vault = openVault(Buffer.from(masterKey, 'hex'))
  const shops: Shop[] = []
  for (let at = 0; at < count; at++) {
    const options = readOptions({
      name: `Shop ${at + 1}`,
      sites: [SITE],
      feeBps: '290',
      feeFixed: '0.30',
      marginBps: '500',
      limitDaily: '999999999.00',
      limitMonthly: '999999999.00',
      // In live, payouts must come from a listed address.
      ips: ['127.0.0.1'],
    })
    const wanted = { options, pending: false, now: new Date() }
    const { merNo, key } = await db.transaction((tx) => createMerchant(tx, vault, wanted))
    shops.push({ merNo, key, site: SITE })
  }
  return shops
}

export function targetsOf(gateway: GatewayUnderTest, path = '/payment'): Target[] {
  return gateway.nodes.map(({ port }) => ({ port, path }))
}
