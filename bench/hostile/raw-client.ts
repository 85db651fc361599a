// A client that repeatedly sends raw bytes on new connections and ignores the responses.
import { connect, type Socket } from 'node:net'

const PAUSE_MS = 5
const OPEN_EVERY_MS = 20

/** Keeps `clients` connections busy: each sends the request, waits for a response or the end, and starts again. */
export function repeatRequest(port: number, clients: number, request: Buffer): () => void {
  let running = true
  const open = new Set<Socket>()
  const again = () => {
    if (!running) return
    const socket = connect({ port, host: '127.0.0.1' })
    open.add(socket)
    socket.once('data', () => socket.destroy())
    socket.on('error', () => {})
    socket.once('close', () => {
      open.delete(socket)
      setTimeout(again, PAUSE_MS)
    })
    socket.write(request)
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
    const socket = connect({ port, host: '127.0.0.1' })
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

export function httpPost(path: string, contentType: string, body: Buffer, length = body.length): Buffer {
  const head = [
    `POST ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    `content-type: ${contentType}`,
    `content-length: ${length}`,
    'referer: https://shop.example/cart',
  ]
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body])
}
