// A merchant's server for tests, over real HTTP on loopback. Tests set the response of each path, and read the received
// requests.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export type Received = {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export type Behaviour = (response: ServerResponse, request: IncomingMessage) => void

export const behaviours = {
  ok: (response) => response.end('SUCCESS'),
  lowerCase: (response) => response.end(' success\n'),
  wrongBody: (response) => response.end('OK'),
  error: (response) => response.writeHead(500).end('SUCCESS'),
  redirect: (response) => response.writeHead(302, { location: '/ok' }).end(),
  hang: () => {},
  reset: (_response, request) => request.socket.resetAndDestroy(),
  drip(response) {
    response.writeHead(200)
    const timer = setInterval(() => response.write('S'), 100)
    response.on('close', () => clearInterval(timer))
  },
  huge(response) {
    const block = Buffer.alloc(65_536, 'x')
    const pump = () => {
      while (!response.destroyed && response.write(block));
    }
    response.on('drain', pump)
    pump()
  },
} as const satisfies Record<string, Behaviour>

export type Receiver = {
  readonly url: string
  /** Returns the requests received so far, of one path or all. */
  received(path?: string): readonly Received[]
  /** Sets the response of a path. Other paths respond SUCCESS. */
  on(path: string, behaviour: Behaviour): void
  close(): Promise<void>
}

export async function openReceiver(): Promise<Receiver> {
  const scripts = new Map<string, Behaviour>()
  const came: Received[] = []
  const server = createServer(async (request, response) => {
    const path = request.url ?? ''
    const body = await text(request).catch(() => '')
    came.push({ path, headers: request.headers, body })
    const script = scripts.get(path) ?? behaviours.ok
    script(response, request)
  })
  const url = await listen(server)
  return {
    url,
    received: (path) => (path === undefined ? came : came.filter((one) => one.path === path)),
    on: (path, behaviour) => scripts.set(path, behaviour),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a server on a port has an address')
  const { port }: AddressInfo = address
  return `http://127.0.0.1:${port}`
}
