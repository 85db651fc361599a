// A counterparty that may do anything with a connection: real sockets on loopback, plain or with TLS. It counts what it was
// sent and what is left open.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import { eventually } from './eventually.ts'

export type Received = {
  readonly socket: Socket
  /** The connection itself, below TLS. */
  readonly line: Socket
  /** What TLS 1.3 derives the keys of this server's records from. */
  readonly secret: Buffer
  /** The beginning of the request. */
  readonly head: string
  /** The first request that the server ever got is 1. */
  readonly no: number
}

export type HostileServer = {
  readonly url: URL
  readonly requests: () => number
  readonly connections: () => number
  /** Waits until no connection is open any more. */
  readonly allClosed: () => Promise<void>
}

/** `serve` is called when the beginning of a request has come; its further pieces are read and dropped. */
export async function openHostileServer(
  t: TestContext,
  serve: (received: Received) => void,
  tls?: TlsOptions,
): Promise<HostileServer> {
  const open = new Set<Socket>()
  let [requests, connections] = [0, 0]
  const secrets = new WeakMap<Socket, Buffer>()
  const talk = (socket: Socket, line: Socket) => {
    socket.on('error', () => {})
    socket.on('data', (piece: Buffer) => {
      const head = piece.toString('latin1', 0, 512)
      const secret = secrets.get(line) ?? Buffer.alloc(0)
      if (/^(?:GET|POST|PUT|CONNECT) /.test(head)) serve({ socket, line, secret, head, no: ++requests })
    })
  }
  const server = createServer((line) => {
    connections++
    open.add(line)
    line.on('error', () => {})
    line.on('close', () => open.delete(line))
    if (tls === undefined) return talk(line, line)
    const secure = createTlsServer(tls, (socket) => talk(socket, line))
    secure.on('tlsClientError', () => {})
    secure.on('keylog', (entry) => {
      const [, secret] = /^SERVER_TRAFFIC_SECRET_0 \w+ (\w+)/.exec(String(entry)) ?? []
      if (secret !== undefined) secrets.set(line, Buffer.from(secret, 'hex'))
    })
    secure.emit('connection', line)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    for (const line of open) line.destroy()
  })
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  return {
    url: new URL(`${tls === undefined ? 'http' : 'https'}://localhost:${address.port}/`),
    requests: () => requests,
    connections: () => connections,
    async allClosed() {
      assert.ok(await eventually(() => open.size === 0), `${open.size} connections are left open`)
    },
  }
}
