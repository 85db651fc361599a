// A gateway as an operator runs it: its own process, its own database on the shared server, fifty merchants.
import { readFileSync } from 'node:fs'
import { openVault } from '../src/base/secret.ts'
import { createMerchant } from '../src/merchants/create-merchant.ts'
import { readOptions } from '../src/merchants/options.ts'
import { openDb } from '../src/postgres/db.ts'
import { freePort } from '../test/gateway-process.ts'
import { type Books, openBooks } from './books.ts'
import { type Child, programPath, startChild } from './child.ts'
import type { Target } from './load.ts'
import type { Place } from './place.ts'
import type { Shop } from './shop.ts'

export type GatewayUnderTest = {
  readonly name: string
  readonly shops: readonly Shop[]
  readonly databaseUrl: string
  readonly books: Books
  readonly nodes: readonly Node[]
  /** Where its shops are notified; unset: the session's receiver. */
  readonly notifyUrl?: string | undefined
  stop(): Promise<void>
}

export type Node = Child & { readonly port: number }

export type GatewayOptions = {
  readonly name: string
  readonly nodes?: number
  /** What differs from a gateway that serves merchants and leaves delivery to others. */
  readonly settings?: Readonly<Record<string, string>>
  readonly notifyUrl?: string
  /** Instead of the gateway itself. */
  readonly program?: string
}

const MERCHANTS = 50
const SITE = 'shop.example'

export async function startGateway(place: Place, options: GatewayOptions): Promise<GatewayUnderTest> {
  const { name, nodes = 1, settings = {}, notifyUrl, program = programPath('../src/main.ts') } = options
  const url = await place.createDatabase(`bench_${name}`)
  const dataDir = place.makeFolder(name)
  const started: Node[] = []
  for (let at = 0; at < nodes; at++) {
    started.push(
      await startNode(name, program, {
        DATABASE_URL: url,
        TOLLGATE_DATA_DIR: dataDir,
        TOLLGATE_MASTER_KEY: place.masterKey,
        TOLLGATE_ROLE: 'api',
        TOLLGATE_LOG_LEVEL: 'warn',
        ...settings,
      }),
    )
  }
  const db = openDb({ connection: { connectionString: url }, maxConnections: 2 })
  const shops = await createShops(db, place.masterKey)
  return {
    name,
    shops,
    databaseUrl: url,
    books: openBooks(name, db),
    nodes: started,
    notifyUrl,
    async stop() {
      await Promise.all(started.map((node) => node.stop()))
      await db.close()
    },
  }
}

async function startNode(
  name: string,
  program: string,
  settings: Readonly<Record<string, string>>,
): Promise<Node> {
  const port = await freePort()
  const env = { ...settings, PORT: String(port) }
  const child = await startChild({
    name: `the gateway "${name}"`,
    args: [...asStarted.flags, program],
    env: { ...asStarted.env, ...env },
  })
  return { ...child, port }
}

/** How `npm start` runs it: flags of Node, and settings of the allocator. */
const asStarted = readStartScript()

function readStartScript() {
  const { scripts }: { scripts: { start: string } } = JSON.parse(
    readFileSync(programPath('../package.json'), 'utf8'),
  )
  const [, flags = ''] = /bin\/node (.*) src\/main\.ts$/.exec(scripts.start) ?? []
  const allocator = [...scripts.start.matchAll(/\b(MALLOC_\w+)=(\S+)/g)]
  return {
    flags: flags.split(' '),
    env: Object.fromEntries(allocator.map(([, name = '', value = '']) => [name, value])),
  }
}

/** Fees and a margin, so that every payment books all its entries; limits that are checked and never reached. */
async function createShops(db: ReturnType<typeof openDb>, masterKey: string): Promise<Shop[]> {
  const vault = openVault(Buffer.from(masterKey, 'hex'))
  const shops: Shop[] = []
  for (let at = 0; at < MERCHANTS; at++) {
    const options = readOptions({
      name: `Shop ${at + 1}`,
      sites: [SITE],
      feeBps: '290',
      feeFixed: '0.30',
      marginBps: '500',
      limitDaily: '999999999.00',
      limitMonthly: '999999999.00',
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
