import pg from 'pg'
import type { Fault } from '../fault.ts'

/** Another program takes every connection of PostgreSQL that is left. */
export const noConnections: Fault = {
  name: 'PostgreSQL out of connections',
  weight: 3,
  forMs: 3_000,
  async inject({ postgres, nodes }, random) {
    const taken: pg.Client[] = []
    for (let client = await take(postgres.connection); client; client = await take(postgres.connection))
      taken.push(client)
    // A node that has its connections already would not notice.
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
