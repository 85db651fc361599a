// Faults of PostgreSQL itself.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Fault } from '../fault.ts'

export const killPostgres: Fault = {
  name: 'kill PostgreSQL',
  weight: 2,
  forMs: 1_000,
  async inject({ postgres }) {
    await postgres.kill()
    return () => postgres.start()
  },
}

export const pausePostgres: Fault = {
  name: 'pause PostgreSQL',
  weight: 4,
  forMs: 3_000,
  async inject({ postgres }) {
    postgres.pause()
    return () => postgres.resume()
  },
}

/** Takes all remaining connections of PostgreSQL, as another program could. */
export const noConnections: Fault = {
  name: 'PostgreSQL out of connections',
  weight: 3,
  forMs: 3_000,
  async inject({ postgres, nodes }, random) {
    const taken: pg.Client[] = []
    for (let client = await take(postgres.connection); client; client = await take(postgres.connection))
      taken.push(client)
    // Without this cut, a node that keeps its open connections would not notice the fault.
    random.pick(nodes)?.database.cutAll()
    return async () => {
      await Promise.all(taken.map((client) => client.end().catch(() => {})))
    }
  },
}

async function take(connection: pg.ClientConfig): Promise<pg.Client | undefined> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch {
    return undefined
  }
}

const LOCKED_TEXT = 'select from limit_usage where mer_no = $1 order by method, period for update'

/** Workers sweep for lost calls every five seconds, so a transaction of this length runs during two sweeps. */
const TWO_SWEEPS_MS = 11_000
/** A payment that waited for the lock is stored within this time. */
const STORED_WITHIN_MS = 500

/**
 * Locks the limits of a merchant in another session, so that a payment's transaction becomes older than many others.
 * The node may die as soon as the payment is stored.
 */
export const longTransaction: Fault = {
  name: 'long transaction, then a dead node',
  weight: 4,
  forMs: 9_000,
  async inject({ postgres, nodes, actingShops }, random) {
    const client = await take(postgres.connection)
    const dying = nodes.filter(({ role }) => role === 'api' && random.chance(0.8))
    const until = Date.now() + (random.chance(0.8) ? TWO_SWEEPS_MS : 0)
    const run = (text: string, values: unknown[] = []) => client?.query(text, values).catch(() => undefined)
    await run('begin')
    await run(LOCKED_TEXT, [random.pick(actingShops)?.merNo])
    return async () => {
      await sleep(Math.max(until - Date.now(), 0))
      for (const node of dying)
        node.database.afterChange = { statements: ['orders.insert'], run: () => void node.kill() }
      await run('rollback')
      await sleep(STORED_WITHIN_MS)
      for (const node of dying) node.database.afterChange = undefined
      await Promise.all(dying.map((node) => node.kill()))
      await client?.end().catch(() => {})
      await Promise.all(dying.map((node) => node.start()))
    }
  },
}

/** Fills the disk. PostgreSQL may refuse statements or crash, and must run again once the disk has space. */
export const diskFull: Fault = {
  name: 'disk full',
  weight: 2,
  forMs: 2_000,
  unavailable: ({ postgres }) =>
    postgres.disk === undefined ? 'it needs root to mount a file system of its own' : undefined,
  async inject({ postgres }) {
    postgres.disk?.fill()
    return async () => {
      postgres.disk?.free()
      await postgres.start()
    }
  },
}
