// A server that costs next to nothing: a minimum of HTTP/1.1, for clients with one request under way per connection.
import { createServer, type Socket } from 'node:net'

export type Answer = { readonly status: 200 | 404; readonly type: string; readonly body: string }

const reasons = { 200: 'OK', 404: 'Not Found' }

/** On the port of the environment; writes `ready` and its address when it listens. */
export function startLeanServer(answer: (path: string, body: string) => Answer): void {
  const port = Number(process.env.PORT)
  const server = createServer({ noDelay: true }, (socket) => serve(socket, answer))
  server.listen(port, '127.0.0.1', () => console.log(`ready http://127.0.0.1:${port}`))
  process.once('SIGTERM', () => process.exit(0))
}

function serve(socket: Socket, answer: (path: string, body: string) => Answer): void {
  let received = ''
  socket.setEncoding('utf8')
  socket.on('data', (text: string) => {
    received += text
    const request = readRequest(received)
    if (request === undefined) return
    received = ''
    const { status, type, body } = answer(request.path, request.body)
    const head = `HTTP/1.1 ${status} ${reasons[status]}\r\ncontent-type: ${type}\r\ncontent-length: `
    socket.write(`${head}${Buffer.byteLength(body)}\r\n\r\n${body}`)
  })
  socket.on('error', () => socket.destroy())
}

/** Undefined while bytes are missing. */
function readRequest(text: string): { path: string; body: string } | undefined {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const head = text.slice(0, headEnd)
  const body = text.slice(headEnd + 4)
  const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0)
  if (Buffer.byteLength(body) < length) return undefined
  return { path: /^POST (\S+) /.exec(head)?.[1] ?? '', body }
}
