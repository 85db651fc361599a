// One keep-alive connection with one request under way. The client knows just enough HTTP/1.1 to read responses with a
// Content-Length: a complete client would use more of the machine than the server under test.
import { connect, type Socket } from 'node:net'

/**
 * `body` has one latin1 character for each byte, because decoding would cost more than everything else here. `utf8`
 * decodes a body.
 */
export type Reply = { readonly status: number; readonly body: string }

export type Connection = {
  send(request: Buffer): void
  end(): void
}

export type Listener = {
  readonly replied: (reply: Reply) => void
  /** The connection is closed and takes no more requests. */
  readonly broke: (why: string) => void
}

// All connections read into one buffer in turn, because allocating a buffer for each response would be most of the
// work.
const readBuffer = Buffer.allocUnsafeSlow(1 << 16)

export async function openConnection(port: number, listener: Listener): Promise<Connection> {
  let received = ''
  let ended = false
  const socket = await connected(port, (text) => {
    received += text
    const read = readReply(received)
    if (read === undefined) return
    received = ''
    if (read === 'unreadable') broke('a response without Content-Length')
    else listener.replied(read)
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

/** The text of a body. */
export function utf8(body: string): string {
  return Buffer.from(body, 'latin1').toString('utf8')
}

function connected(port: number, read: (text: string) => void): Promise<Socket> {
  const callback = (size: number) => {
    read(readBuffer.toString('latin1', 0, size))
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

/** Returns undefined while bytes are missing. */
function readReply(text: string): Reply | 'unreadable' | undefined {
  const bodyStart = text.indexOf('\r\n\r\n') + 4
  if (bodyStart < 4) return undefined
  const status = Number(text.slice(9, 12))
  const length = status === 204 ? '0' : /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, bodyStart))?.[1]
  if (length === undefined) return 'unreadable'
  if (text.length < bodyStart + Number(length)) return undefined
  return { status, body: text.slice(bodyStart) }
}
