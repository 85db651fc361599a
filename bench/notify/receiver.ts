// The receiver of all deliveries: it answers SUCCESS, and records when each number arrived first. The receiver knows
// just enough HTTP/1.1 for bodies with a Content-Length, and searches the bytes directly: a complete server, or
// decoding to text, would use more of the machine than the workers that are measured.
import { createServer, type Socket } from 'node:net'

const answer = Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\nSUCCESS')
const HEAD_END = Buffer.from('\r\n\r\n')
const LENGTH = Buffer.from('\r\ncontent-length: ')
const NUMBER = Buffer.from('merOrderNo=B')
const GET = 'G'.charCodeAt(0)
const ZERO = '0'.charCodeAt(0)
const times = new Map<number, number>()
/** 1 for each number that has arrived in the whole run. */
let came = new Uint8Array(1_000_000)
let lastMs = 0
let repeated = 0

const server = createServer({ noDelay: true }, (socket) => {
  let rest: Buffer | undefined
  socket.on('data', (chunk: Buffer) => {
    let bytes = rest === undefined ? chunk : Buffer.concat([rest, chunk])
    for (let end = endOfRequest(bytes); end > 0; end = endOfRequest(bytes)) {
      const request = bytes.subarray(0, end)
      if (bytes[0] === GET) control(socket, request.toString('latin1'))
      else take(socket, request)
      bytes = bytes.subarray(end)
    }
    rest = bytes.length === 0 ? undefined : bytes
  })
  socket.on('error', () => socket.destroy())
})

/** Returns the length of the first request, or 0 while bytes are missing. */
function endOfRequest(bytes: Buffer): number {
  const headEnd = bytes.indexOf(HEAD_END)
  if (headEnd < 0) return 0
  const length = bytes.indexOf(LENGTH)
  const end = headEnd + HEAD_END.length + (length < 0 ? 0 : digitsAt(bytes, length + LENGTH.length))
  return bytes.length < end ? 0 : end
}

function digitsAt(bytes: Buffer, start: number): number {
  let value = 0
  for (let at = start; ; at++) {
    const digit = (bytes[at] ?? 0) - ZERO
    if (digit < 0 || digit > 9) return value
    value = 10 * value + digit
  }
}

function take(socket: Socket, request: Buffer): void {
  const number = digitsAt(request, request.indexOf(NUMBER) + NUMBER.length)
  const nowMs = performance.timeOrigin + performance.now()
  if (isNew(number)) times.set(number, nowMs)
  else repeated++
  lastMs = nowMs
  socket.write(answer)
}

function isNew(number: number): boolean {
  if (number >= came.length) {
    const wider = new Uint8Array(2 * number)
    wider.set(came)
    came = wider
  }
  if (came[number] === 1) return false
  came[number] = 1
  return true
}

/**
 * `/seen` answers with the number of arrivals since the last `/times`. `/times` also answers with their times, and
 * empties the list.
 */
function control(socket: Socket, request: string): void {
  const wantsTimes = request.startsWith('GET /times')
  const seen = { count: times.size, lastMs, repeated, times: wantsTimes ? [...times] : [] }
  if (wantsTimes) times.clear()
  const body = Buffer.from(JSON.stringify(seen))
  socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n`)
  socket.write(body)
}

server.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('ready'))
process.once('SIGTERM', () => process.exit(0))
