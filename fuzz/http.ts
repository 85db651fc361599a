// Sends inputs to the gateway. Plain HTTP requests share connections that stay open. Inputs that may be any bytes have
// a connection each.
import { openConnection, utf8 } from '../bench/connection.ts'
import { rawClient } from '../test/harness/raw-client.ts'

export type Answer = {
  readonly statuses: readonly number[]
  /** The body of an answer from `send`; everything that `sendAlone` received. */
  readonly text: string
  readonly ms: number
  /** True if the answer took longer than `HANG_MS`. */
  readonly late: boolean
}

/** An answer that takes longer is late. */
export const HANG_MS = 1_000
/** The longest wait for an answer: other programs may slow down the machine. */
const PATIENCE_MS = 10_000

export type Sender = {
  /** Sends a plain request, which has one answer. */
  send(request: Buffer): Promise<Answer>
  close(): void
}

type Line = { send(request: Buffer): Promise<Answer>; end(): void }

export function openSender(port: number): Sender {
  const free: Line[] = []
  const all = new Set<Line>()
  return {
    async send(request) {
      const line = free.pop() ?? (await openLine(port, (broken) => all.delete(broken)))
      all.add(line)
      const answer = await line.send(request)
      if (all.has(line)) free.push(line)
      return answer
    },
    close() {
      for (const line of all) line.end()
    },
  }
}

async function openLine(port: number, gone: (line: Line) => void): Promise<Line> {
  let done: (answer: Pick<Answer, 'statuses' | 'text'>) => void = () => {}
  const connection = await openConnection(port, {
    replied: ({ status, body }) => done({ statuses: [status], text: utf8(body) }),
    broke: (why) => {
      const index = line
      gone(index)
      done({ statuses: [], text: why })
    },
  })
  const line: Line = {
    send(request) {
      const startedMs = performance.now()
      return new Promise((resolve) => {
        const timer = setTimeout(() => {
          gone(line)
          connection.end()
          resolve({ statuses: [], text: '', ms: PATIENCE_MS, late: true })
        }, PATIENCE_MS)
        done = (answer) => {
          clearTimeout(timer)
          const ms = performance.now() - startedMs
          resolve({ ...answer, ms, late: ms > HANG_MS })
        }
        connection.send(request)
      })
    },
    end: connection.end,
  }
  return line
}

/**
 * The wait for the first byte of an answer, for requests that look complete. The gateway sends no answer to a client
 * that has ended.
 */
const SILENCE_MS = 1_000
/** The wait for the first byte of an answer, for requests that are cut off. */
export const SHORT_SILENCE_MS = 30
/** The wait for more bytes after the latest byte of an answer. */
const QUIET_MS = 5

/**
 * Sends the bytes over a connection of their own, and ends the connection when no more bytes arrive, because incomplete
 * requests get no answer. `ms` is the longest wait: for the first byte, or for the gateway's end after the client's
 * end.
 */
export async function sendAlone(port: number, bytes: Buffer, silenceMs = SILENCE_MS): Promise<Answer> {
  const client = await rawClient(port)
  const { socket } = client
  const sentMs = performance.now()
  let [firstMs, endedMs] = [0, 0]
  const end = () => {
    endedMs = performance.now()
    socket.end()
  }
  let timer = setTimeout(end, silenceMs)
  const patience = setTimeout(() => socket.destroy(), PATIENCE_MS)
  socket.on('data', () => {
    firstMs ||= performance.now()
    clearTimeout(timer)
    if (endedMs === 0) timer = setTimeout(end, QUIET_MS)
  })
  socket.write(bytes)
  const text = await client.ended()
  clearTimeout(timer)
  clearTimeout(patience)
  const beganMs = endedMs > 0 && endedMs < firstMs ? endedMs : sentMs
  const ms = Math.max(firstMs && firstMs - beganMs, endedMs && performance.now() - endedMs)
  const statuses = [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status))
  return { statuses, text, ms, late: ms > HANG_MS }
}
