// Clients that use a connection in ways that no HTTP library would.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export type RawClient = {
  readonly socket: Socket
  /** Returns everything received, once the other side has closed. */
  ended(): Promise<string>
}

/** Sends the text and leaves the connection open. */
export async function rawClient(port: number, text = '', localAddress = '127.0.0.1'): Promise<RawClient> {
  const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true })
  let received = ''
  const gone = new Promise<void>((resolve) => socket.once('end', resolve).once('close', () => resolve()))
  // A closed connection may be reset.
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.setEncoding('latin1').on('data', (piece) => {
    received += piece
  })
  socket.write(text)
  return {
    socket,
    async ended() {
      await gone
      socket.destroy()
      return received
    },
  }
}

/** Returns the head of a POST of JSON whose body follows in chunks. */
export function chunkedHead(path: string): string {
  return `${headOf(path, 'application/json')}\r\nTransfer-Encoding: chunked\r\n\r\n`
}

/** Returns a request that the fast path leaves to Node's server. */
export function inChunks(path: string, body: string): string {
  return `${chunkedHead(path)}${chunk(body)}0\r\n\r\n`
}

export function chunk(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
}

/** Returns a whole request. `declared` is the value of Content-Length. */
export function whole(path: string, body: string, declared = Buffer.byteLength(body)): string {
  const type = path === '/file/upload' ? 'multipart/form-data; boundary=boundary' : 'application/json'
  return `${headOf(path, type)}\r\nContent-Length: ${declared}\r\n\r\n${body}`
}

function headOf(path: string, type: string): string {
  return `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nReferer: https://shop.example/`
}
