// A client that repeatedly sends raw bytes on new connections and ignores the responses.
import { connect, type Socket, type TcpNetConnectOpts } from 'node:net'

const HOST = '127.0.0.1'
const PAUSE_MS = 5
/**
 * The attacker's address is not that of the measured payments, because a live gateway limits the connections of an
 * address.
 */
const ATTACKER = '127.0.0.2'
const OPEN_EVERY_MS = 20

/** Keeps `clients` connections busy: each sends the request, waits for a response or the end, and starts again. */
export function repeatRequest(port: number, clients: number, request: Buffer): () => void {
  return repeat({ port, host: HOST }, clients, () => request)
}

/** Sends several requests in turn, again and again, from the attacker's address. */
export function repeatRequests(port: number, clients: number, requests: readonly Buffer[]): () => void {
  let sent = 0
  const next = () => requests[sent++ % requests.length] ?? Buffer.alloc(0)
  return repeat({ port, host: HOST, localAddress: ATTACKER }, clients, next)
}

/** Sends one request from the attacker's address. Returns the status of the answer, or 0 if there was none. */
export function askStatus(port: number, request: Buffer): Promise<number> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: HOST, localAddress: ATTACKER })
    socket.once('data', (head) => {
      resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(String(head))?.[1] ?? 0))
      socket.destroy()
    })
    socket.on('error', () => {})
    socket.once('close', () => resolve(0))
    socket.write(request)
  })
}

function repeat(to: TcpNetConnectOpts, clients: number, next: () => Buffer): () => void {
  let running = true
  const open = new Set<Socket>()
  const again = () => {
    if (!running) return
    const socket = connect(to)
    open.add(socket)
    socket.once('data', () => socket.destroy())
    socket.on('error', () => {})
    socket.once('close', () => {
      open.delete(socket)
      setTimeout(again, PAUSE_MS)
    })
    socket.write(next())
  }
  for (let client = 0; client < clients; client++) again()
  return () => {
    running = false
    for (const socket of open) socket.destroy()
  }
}

/** Opens one connection after the other: each sends the bytes once, and then neither sends nor reads. */
export function holdConnections(port: number, connections: number, bytes: Buffer): () => void {
  const open = new Set<Socket>()
  const timer = setInterval(() => {
    if (open.size === connections) return
    const socket = connect({ port, host: HOST })
    open.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => open.delete(socket))
    socket.write(bytes)
    socket.pause()
  }, OPEN_EVERY_MS)
  return () => {
    clearInterval(timer)
    for (const socket of open) socket.destroy()
  }
}

/** `headers` are further lines of the request's head. */
export function httpGet(path: string, headers = 'accept: text/html'): Buffer {
  return Buffer.from(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept-encoding: gzip\r\n${headers}\r\n\r\n`)
}

export function httpPost(path: string, contentType: string, body: Buffer, length = body.length): Buffer {
  const head = [
    `POST ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    `content-type: ${contentType}`,
    `content-length: ${length}`,
    'referer: https://shop.example/cart',
    'origin: https://pay.example',
  ]
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body])
}
