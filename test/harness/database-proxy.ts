// A proxy between a gateway and PostgreSQL: real connections on loopback that a test can refuse, silence, or cut at a
// commit.
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { fastPaths } from './fast-paths.ts'

export type DatabaseProxy = {
  /** The address of the database through the proxy. */
  readonly url: string
  /** Cuts every connection, and refuses new ones. */
  stop(): Promise<void>
  start(): Promise<void>
  /**
   * Silences every connection as if the server's host had vanished: the server drops the connection, and the client
   * gets no sign of that. With `isReplaced: false`, new connections get no answer either, until `replace` is called.
   */
  vanish(options: { readonly isReplaced: boolean }): void
  /** Lets new connections reach the server again. */
  replace(): void
  /**
   * Loses the answer to the next commit of a transaction that uses this prepared statement. The commit itself succeeds.
   */
  loseAnswerTo(statement: string): void
}

/** Opens a proxy to `target`, an address in the form of DATABASE_URL. */
export async function openDatabaseProxy(target: string): Promise<DatabaseProxy> {
  const url = new URL(target.replace('@/', '@socket/'))
  const folder = url.searchParams.get('host')
  const port = Number(url.searchParams.get('port') ?? (url.port || 5432))
  const at = folder === null ? { host: url.hostname, port } : { path: `${folder}/.s.PGSQL.${port}` }
  const sockets = new Set<Socket>()
  let lost: string | undefined
  let isThere = true
  const silence = (client: Socket) => client.removeAllListeners('data').on('data', () => {})
  const pairs = new Map<Socket, Socket>()
  const server = createServer((client) => {
    if (!isThere) {
      sockets.add(silence(client).on('error', () => {}))
      return
    }
    const upstream = connect(at)
    pairs.set(client, upstream)
    let isUsing = false
    const cut = () => {
      for (const socket of [client, upstream]) {
        socket.destroy()
        sockets.delete(socket)
      }
      pairs.delete(client)
    }
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', cut).on('close', cut)
    }
    client.on('data', (bytes) => {
      const text = bytes.toString('latin1')
      if (lost !== undefined && text.includes(`${lost}\0`)) isUsing = true
      // In a pipeline, the same packet contains the commit.
      if (isUsing && (fastPaths.pipeline || text.includes('commit'))) {
        isUsing = false
        lost = undefined
        upstream.removeAllListeners('data').once('data', cut)
      }
      upstream.write(bytes)
    })
    upstream.on('data', (bytes) => client.write(bytes))
  })
  const listen = async (number: number) => {
    await once(server.listen(number, '127.0.0.1'), 'listening')
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('a server on a port has an address')
    return address.port
  }
  const own = await listen(0)
  return {
    url: `postgresql://${url.username}${url.password && `:${url.password}`}@127.0.0.1:${own}${url.pathname}`,
    async stop() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
    async start() {
      await listen(own)
    },
    vanish({ isReplaced }) {
      isThere = isReplaced
      for (const [client, upstream] of pairs) {
        silence(client)
        upstream
          .removeAllListeners()
          .on('error', () => {})
          .destroy()
      }
      pairs.clear()
    },
    replace() {
      isThere = true
    },
    loseAnswerTo(statement) {
      lost = statement
    },
  }
}
