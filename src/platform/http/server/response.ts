// Writes responses with Node's response object. The response to an invalid or late request is written directly to the
// connection.
import { randomUUID } from 'node:crypto'
import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'

/** A response. `type` is the content type. */
export type Message = {
  readonly status: number
  readonly type: string
  readonly text: string
  readonly headers: Readonly<Record<string, string>> | undefined
}

export type ResponseWriter = {
  /** Writes the response. If `isLast` is true, the connection ends with this response. */
  write(message: Message, requestId: string, isLast: boolean): void
  /** Calls back when the system has accepted the last byte, or the client has disconnected. */
  whenDone(done: () => void): void
}

export function writerOver(response: ServerResponse): ResponseWriter {
  return {
    write({ status, type, text, headers }, requestId, isLast) {
      const length = String(Buffer.byteLength(text))
      const head = ['x-request-id', requestId, 'content-type', type, 'content-length', length]
      if (headers !== undefined) head.push(...Object.entries(headers).flat())
      if (isLast) head.push('connection', 'close')
      response.writeHead(status, head)
      response.end(text)
    },
    whenDone(done) {
      if (response.closed) done()
      else response.on('close', done)
    },
  }
}

/** Renders the response to an invalid or late request. The wording depends on the interface. */
export type RenderBroken = (why: string) => Pick<Message, 'type' | 'text'>

/** Refuses a request before any route sees it, directly on the connection. */
export function refuseBroken(error: NodeJS.ErrnoException, socket: Socket, render: RenderBroken): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const status = brokenStatus[error.code ?? ''] ?? 400
  const { type, text } = render(
    status === 408 ? 'the request did not come in time' : 'the request is not valid HTTP',
  )
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: ${type}\r\nX-Request-Id: ${randomUUID()}\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
  )
}

const brokenStatus: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
}
