// A TCP proxy on loopback that the simulation slows down, stalls, or cuts in the middle of a response.
import { once } from 'node:events'
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net'

export type TcpProxy = {
  readonly port: number
  /** The delay of every part of a response. */
  delayMs: number
  /** True to stop all data in both directions. Connections stay open. */
  stalled: boolean
  /** The number of responses that will be cut in half. Their connections are then closed. */
  cuts: number
  /** Called once, when a statement with one of these names has changed rows and its response was passed on. */
  afterChange: { readonly statements: readonly string[]; readonly run: () => void } | undefined
  openConnections(): number
  cutAll(): void
  close(): Promise<void>
}

type Pair = {
  readonly client: Socket
  readonly upstream: Socket
  /** The parts that the client has sent since the last response. */
  sent: Buffer[]
  isAnswered: boolean
}

const STALL_CHECK_MS = 20

export type TcpProxyOptions = {
  /** Returns the target of a connection, or undefined to refuse the connection. */
  readonly target: () => NetConnectOpts | undefined
  readonly onCut: () => void
}

export async function openTcpProxy({ target, onCut }: TcpProxyOptions): Promise<TcpProxy> {
  const pairs = new Set<Pair>()
  const server = createServer({ noDelay: true }, (client) => {
    const address = target()
    if (address === undefined) return client.resetAndDestroy()
    join({ client, upstream: connect({ ...address, noDelay: true }), sent: [], isAnswered: false })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const listening = server.address()
  if (listening === null || typeof listening === 'string')
    throw new Error('a server on a port has an address')

  const proxy: TcpProxy = {
    port: listening.port,
    delayMs: 0,
    stalled: false,
    cuts: 0,
    afterChange: undefined,
    openConnections: () => pairs.size,
    cutAll() {
      for (const pair of pairs) end(pair)
    },
    async close() {
      server.close()
      proxy.cutAll()
      await once(server, 'close')
    },
  }

  function join(pair: Pair): void {
    const { client, upstream } = pair
    pairs.add(pair)
    for (const socket of [client, upstream]) {
      socket.on('error', () => end(pair))
      socket.on('close', () => end(pair))
    }
    forward(pair, client, upstream, () => 0)
    forward(pair, upstream, client, () => proxy.delayMs)
  }

  /** Forwards one part of the data after the other, so that a delay never changes their order. */
  function forward(pair: Pair, from: Socket, to: Socket, delayMs: () => number): void {
    from.on('data', async (part: Buffer) => {
      from.pause()
      await pass(pair, to, part, delayMs())
      watch(pair, from, part)
      from.resume()
    })
  }

  /**
   * Notices when an awaited statement has changed rows. The data of the client contains the statement's name, and the
   * response contains the number of rows.
   */
  function watch(pair: Pair, from: Socket, part: Buffer): void {
    if (from === pair.client) {
      pair.sent = pair.isAnswered ? [part] : [...pair.sent, part]
      pair.isAnswered = false
      return
    }
    pair.isAnswered = true
    const awaited = proxy.afterChange
    if (!awaited?.statements.some((name) => pair.sent.some((sent) => sent.includes(name)))) return
    const [, rows] = /\0?(?:UPDATE|INSERT 0) (\d+)\0/.exec(part.toString('latin1')) ?? []
    if (Number(rows) > 0) {
      proxy.afterChange = undefined
      awaited.run()
    }
  }

  async function pass(pair: Pair, to: Socket, part: Buffer, delayMs: number): Promise<void> {
    if (delayMs > 0) await sleep(delayMs)
    while (proxy.stalled && pairs.has(pair)) await sleep(STALL_CHECK_MS)
    if (!pairs.has(pair)) return
    if (proxy.cuts > 0 && to === pair.client) {
      proxy.cuts -= 1
      onCut()
      to.write(part.subarray(0, part.length >> 1), () => end(pair))
      return
    }
    if (!to.write(part))
      await new Promise<void>((resolve) => to.once('drain', resolve).once('close', resolve))
  }

  function end(pair: Pair): void {
    if (!pairs.delete(pair)) return
    pair.client.destroy()
    pair.upstream.destroy()
  }

  return proxy
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
