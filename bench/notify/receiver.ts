// Where all deliver to: it answers SUCCESS, and remembers when each number came first. It knows just enough HTTP/1.1 for
// bodies that say their length: a complete server would take more of the machine than the workers that are measured.
import { createServer, type Socket } from 'node:net'

const answer = Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\nSUCCESS')
const times = new Map<number, number>()
const known = new Set<number>()
let lastMs = 0
let repeated = 0

const server = createServer({ noDelay: true }, (socket) => {
  let rest: Buffer | undefined
  socket.on('data', (chunk: Buffer) => {
    let bytes = rest === undefined ? chunk : Buffer.concat([rest, chunk])
    for (let end = endOfRequest(bytes); end > 0; end = endOfRequest(bytes)) {
      const request = bytes.toString('latin1', 0, end)
      if (request.startsWith('GET ')) control(socket, request)
      else take(socket, request)
      bytes = bytes.subarray(end)
    }
    rest = bytes.length === 0 ? undefined : bytes
  })
  socket.on('error', () => socket.destroy())
})

/** 0 while bytes are missing. */
function endOfRequest(bytes: Buffer): number {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return 0
  const length = /\r\ncontent-length: *(\d+)/i.exec(bytes.toString('latin1', 0, headEnd))?.[1] ?? '0'
  const end = headEnd + 4 + Number(length)
  return bytes.length < end ? 0 : end
}

function take(socket: Socket, request: string): void {
  const number = Number(/merOrderNo=B(\d+)/.exec(request)?.[1])
  const nowMs = performance.timeOrigin + performance.now()
  if (known.has(number)) repeated++
  else times.set(number, nowMs)
  known.add(number)
  lastMs = nowMs
  socket.write(answer)
}

/** `/seen`: how many came since the last `/times`, which tells when each of them did, and forgets them. */
function control(socket: Socket, request: string): void {
  const wantsTimes = request.startsWith('GET /times')
  const told = { count: times.size, lastMs, repeated, times: wantsTimes ? [...times] : [] }
  if (wantsTimes) times.clear()
  const body = Buffer.from(JSON.stringify(told))
  socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n`)
  socket.write(body)
}

server.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('ready'))
process.once('SIGTERM', () => process.exit(0))
