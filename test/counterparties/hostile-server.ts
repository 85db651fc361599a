// A counterparty that may do anything with a connection: real sockets on loopback, plain or with TLS. The server counts
// the requests and the open connections.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import type { TestContext } from 'node:test'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import { eventually } from '../harness/eventually.ts'
import { ALERT_CIPHER_12, type Secrets12, serverRandomIn } from '../harness/tls-alert.ts'

export type Received = {
  readonly socket: Socket
  /** The connection itself, below TLS. */
  readonly line: Socket
  /** The secret from which TLS 1.3 derives the keys of this server's records. */
  readonly secret: Buffer
  /** The secrets from which TLS 1.2 derives the keys of this server's records. */
  readonly secrets12: Secrets12 | undefined
  /** The beginning of the request. */
  readonly head: string
  /** The number of the request; the server's first request is 1. */
  readonly no: number
}

export type HostileServer = {
  readonly url: URL
  readonly requests: () => number
  readonly connections: () => number
  /** Waits until no connection is open any more. */
  readonly allClosed: () => Promise<void>
}

/**
 * Opens the server. `serve` is called when the beginning of a request has arrived; its further pieces are read and
 * dropped.
 */
export async function openHostileServer(
  t: TestContext,
  serve: (received: Received) => void,
  tls?: TlsOptions,
): Promise<HostileServer> {
  const open = new Set<Socket>()
  let [requests, connections] = [0, 0]
  const secrets = new WeakMap<Socket, Buffer>()
  const secrets12 = new WeakMap<Socket, Secrets12>()
  const talk = (socket: Socket, line: Socket) => {
    socket.on('error', () => {})
    socket.on('data', (piece: Buffer) => {
      const head = piece.toString('latin1', 0, 512)
      const secret = secrets.get(line) ?? Buffer.alloc(0)
      if (/^(?:GET|POST|PUT|CONNECT) /.test(head))
        serve({ socket, line, secret, secrets12: secrets12.get(line), head, no: ++requests })
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
    let serverRandom: Buffer = Buffer.alloc(0)
    secure.on('keylog', (entry) => {
      const [, secret] = /^SERVER_TRAFFIC_SECRET_0 \w+ (\w+)/.exec(String(entry)) ?? []
      if (secret !== undefined) secrets.set(line, Buffer.from(secret, 'hex'))
      const [, random, master] = /^CLIENT_RANDOM (\w+) (\w+)/.exec(String(entry)) ?? []
      if (random === undefined || master === undefined) return
      const [clientRandom, known] = [Buffer.from(random, 'hex'), Buffer.from(master, 'hex')]
      secrets12.set(line, { master: known, clientRandom, serverRandom })
    })
    if (tls.ciphers !== ALERT_CIPHER_12) return void secure.emit('connection', line)
    const wire = overhear(line, (piece) => {
      serverRandom = serverRandomIn(piece) ?? serverRandom
    })
    secure.emit('connection', wire)
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

/** Returns a stream over the connection, and calls `sent` with everything that is sent on the stream. */
function overhear(line: Socket, sent: (piece: Buffer) => void): Duplex {
  const wire = new Duplex({
    read() {},
    write(piece: Buffer, _encoding, done) {
      sent(piece)
      line.write(piece, done)
    },
    final: (done) => void line.end(done),
    destroy(error, done) {
      line.destroy()
      done(error)
    },
  })
  line.on('data', (piece) => wire.push(piece))
  line.on('end', () => wire.push(null))
  return wire
}
