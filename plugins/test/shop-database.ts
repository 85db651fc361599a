// A shop system's own database on the test server, reached over TCP.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import { programPath, startChild } from '../../bench/child.ts'
import { freePort } from '../../test/harness/gateway-process.ts'

export type ShopDatabase = {
  readonly url: string
  /** Rows of the shop, to count what it made of a payment. */
  query<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>
  drop(): Promise<void>
}

export async function openShopDatabase(): Promise<ShopDatabase> {
  const admin: pg.ClientConfig = JSON.parse(process.env.TOLLGATE_TEST_SERVER ?? '')
  const name = `shop_${randomBytes(6).toString('hex')}`
  await administer(admin, `create database ${name} encoding 'UTF8'`)
  const bridge = await openBridge(admin)
  const url = `postgresql://${admin.user}@127.0.0.1:${bridge.port}/${name}?sslmode=disable`
  const pool = new pg.Pool({ connectionString: url, max: 2 })
  return {
    url,
    async query<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) {
      return (await pool.query<Row>(text, [...values])).rows
    },
    async drop() {
      await pool.end()
      await administer(admin, `drop database ${name} with (force)`)
      await bridge.stop()
    },
  }
}

/** The test server listens on a socket file only, to which Medusa's libraries cannot connect. */
async function openBridge({ host, port }: pg.ClientConfig) {
  const own = await freePort()
  const env = { PORT: String(own), BRIDGE_TO: join(host ?? '', `.s.PGSQL.${port}`) }
  const args = [programPath('./socket-bridge.ts')]
  return { ...(await startChild({ name: 'the bridge to the database', args, env })), port: own }
}

async function administer(admin: pg.ClientConfig, statement: string): Promise<void> {
  const client = new pg.Client(admin)
  await client.connect()
  await client.query(statement)
  await client.end()
}
