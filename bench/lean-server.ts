// A server that uses almost no processor time: a minimum of HTTP/1.1, for clients with one request at a time per
// connection. The server reads and writes bytes as latin1, one character each: no decoder runs, and the length of a
// text is its number of bytes.
import { createServer, type Socket } from 'node:net'

/** Takes path and body of a request, and returns the complete response. */
export type Answer = (path: string, body: string) => string

const reasons = { 200: 'OK', 404: 'Not Found' }

/** Listens on the port of the environment, then writes `ready` and its address. */
export function startLeanServer(answer: Answer): void {
  const port = Number(process.env.PORT)
  const server = createServer({ noDelay: true }, (socket) => serve(socket, answer))
  server.listen(port, '127.0.0.1', () => console.log(`ready http://127.0.0.1:${port}`))
  process.once('SIGTERM', () => process.exit(0))
}

export function response(status: keyof typeof reasons, type: string, body: string): string {
  const head = `HTTP/1.1 ${status} ${reasons[status]}\r\ncontent-type: ${type}\r\ncontent-length: `
  return `${head}${body.length}\r\n\r\n${body}`
}

function serve(socket: Socket, answer: Answer): void {
  let received = ''
  socket.on('data', (bytes: Buffer) => {
    received += bytes.toString('latin1')
    const bodyStart = received.indexOf('\r\n\r\n') + 4
    if (bodyStart < 4) return
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(received.slice(0, bodyStart))?.[1] ?? 0)
    if (received.length < bodyStart + length) return
    const pathStart = received.indexOf(' ') + 1
    const path = received.slice(pathStart, received.indexOf(' ', pathStart))
    const body = received.slice(bodyStart)
    received = ''
    socket.write(answer(path, body), 'latin1')
  })
  socket.on('error', () => socket.destroy())
}
