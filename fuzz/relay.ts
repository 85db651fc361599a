// A server between two others. It passes requests on as they come, and can look at them and change the answers.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request as open } from 'node:http'

export type Seen = {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export type Relayed = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export type Relay = {
  readonly url: string
  readonly port: number
  close(): Promise<void>
}

export type RelayOptions = {
  /** The address that requests are sent to, read for each request. */
  readonly to: () => string
  readonly onRequest?: (seen: Seen) => void
  /** Returns the answer to send: a changed answer, or bytes that need not be HTTP. */
  readonly answer?: (seen: Seen, relayed: Relayed) => Relayed | Buffer
  readonly port?: number
}

export async function openRelay({ to, onRequest, answer, port = 0 }: RelayOptions): Promise<Relay> {
  const server = createServer(async (incoming, response) => {
    try {
      const { method = '', url: path = '', headers } = incoming
      const seen = { method, path, headers, body: await bodyOf(incoming) }
      onRequest?.(seen)
      const relayed = await passOn(to(), seen)
      const sent = answer?.(seen, relayed) ?? relayed
      if (Buffer.isBuffer(sent)) incoming.socket.end(sent)
      else response.writeHead(sent.status, withLength(sent)).end(sent.body)
    } catch {
      // A request that failed on one side also ends the connection to the other side.
      incoming.socket.destroy()
    }
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a server on a port has an address')
  return {
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function passOn(to: string, { method, path, headers, body }: Seen): Promise<Relayed> {
  const outgoing = open(to + path, { method, headers: { ...headers, connection: 'close' } })
  outgoing.end(body)
  const [incoming]: [IncomingMessage] = await new Promise((resolve, reject) => {
    outgoing.once('response', (message) => resolve([message])).once('error', reject)
  })
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, body: await bodyOf(incoming) }
}

/**
 * Replaces the headers about the length, because the relay has the whole body, which may have another length than
 * before.
 */
function withLength({ headers, body }: Relayed): Record<string, string | string[] | number | undefined> {
  const { 'transfer-encoding': _coded, connection: _once, ...kept } = headers
  return { ...kept, 'content-length': body.length }
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of message) pieces.push(piece)
  return Buffer.concat(pieces)
}
