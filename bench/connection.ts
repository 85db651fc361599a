// One keep-alive connection with one request under way. It knows just enough HTTP/1.1 to read responses with a Content-Length:
// a complete client would use more of the machine than the server under test.
import { connect, type Socket } from 'node:net'

/** Read the body immediately: the next response overwrites it in the shared buffer. */
export type Reply = { readonly status: number; readonly body: Buffer }

export type Connection = {
  send(request: Buffer): void
  end(): void
}

export type Listener = {
  readonly replied: (reply: Reply) => void
  /** The connection is closed and takes no more requests. */
  readonly broke: (why: string) => void
}

// All connections read into one buffer, one after the other: a buffer for each response would be most of the work.
const readBuffer = Buffer.allocUnsafeSlow(1 << 16)

export async function openConnection(port: number, listener: Listener): Promise<Connection> {
  let rest: Buffer | undefined
  let ended = false
  const socket = await connected(port, (chunk) => {
    const bytes = rest === undefined ? chunk : Buffer.concat([rest, chunk])
    const read = readReply(bytes)
    rest = read === undefined ? Buffer.from(bytes) : undefined
    if (read === 'unreadable') broke('a response without Content-Length')
    else if (read !== undefined) listener.replied(read)
  })
  const broke = (why: string) => {
    if (!ended) listener.broke(why)
    ended = true
    socket.destroy()
  }
  socket.on('error', (error) => broke(error.message))
  socket.on('close', () => broke('the server closed the connection'))
  return {
    send: (request) => void socket.write(request),
    end() {
      ended = true
      socket.destroy()
    },
  }
}

/** `read` may use the chunk until it returns. */
function connected(port: number, read: (chunk: Buffer) => void): Promise<Socket> {
  const callback = (size: number) => {
    read(readBuffer.subarray(0, size))
    return true
  }
  return new Promise((resolve, reject) => {
    const socket = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      onread: { buffer: readBuffer, callback },
    })
    socket.once('connect', () => resolve(socket)).once('error', reject)
  })
}

/** Undefined while bytes are missing. */
function readReply(bytes: Buffer): Reply | 'unreadable' | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const head = bytes.toString('latin1', 0, headEnd)
  const status = Number(head.slice(9, 12))
  const length = status === 204 ? '0' : /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (length === undefined) return 'unreadable'
  const bodyStart = headEnd + 4
  if (bytes.length < bodyStart + Number(length)) return undefined
  return { status, body: bytes.subarray(bodyStart) }
}
