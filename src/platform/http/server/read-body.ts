// Collects request bodies that arrive in pieces. Limits the bytes and pieces of each body, and the bytes of all
// incomplete bodies together. The time limits are in connections.ts.
import type { IncomingMessage } from 'node:http'

const MIB = 1024 * 1024
/** The maximum number of bytes of all incomplete bodies together. */
const MOST_BUFFERED_BYTES = 64 * MIB
// The maximum number of bytes of a refused body that are read and dropped. Some clients read the response only after
// they have sent everything, and would otherwise find the connection reset.
export const MAX_DRAINED_BYTES = 32 * MIB
// A body may have MOST_SMALL_PIECES pieces, and one more for every PIECE_BYTES bytes. A piece costs about as much
// processor time as reading a kilobyte. Networks deliver pieces of some 500 bytes, and programs send larger pieces.
const MOST_SMALL_PIECES = 1_000
const PIECE_BYTES = 256

/**
 * The reason why a body is refused. `overloaded`: the incomplete bodies take too much memory, and this body is the
 * oldest.
 */
export type BodyProblem = 'too-large' | 'too-many-pieces' | 'overloaded'

/** Called at most once, and never after the client has disconnected. */
type Done = (body: Buffer | BodyProblem) => void

export class BodyReader {
  readonly #mostBuffered: number
  /** The incomplete bodies, in the order in which they began. */
  readonly #incomplete = new Set<IncompleteBody>()
  #bufferedBytes = 0

  constructor(mostBufferedBytes = MOST_BUFFERED_BYTES) {
    this.#mostBuffered = mostBufferedBytes
  }

  /** The buffered bytes of all incomplete bodies. */
  get bufferedBytes(): number {
    return this.#bufferedBytes
  }

  read(request: IncomingMessage, mostBytes: number, done: Done): void {
    const body = new IncompleteBody(mostBytes, (end) => {
      if (!this.#incomplete.delete(body)) return
      this.#bufferedBytes -= body.bufferedBytes
      if (end !== 'gone') done(end === 'whole' ? body.bytes() : end)
      body.release()
    })
    this.#incomplete.add(body)
    request.on('data', (chunk: Buffer) => {
      const before = body.bufferedBytes
      if (!body.add(chunk)) {
        // A client that sends so much after the refusal does not read the response.
        request.destroy()
      } else if (this.#incomplete.has(body)) {
        this.#bufferedBytes += body.bufferedBytes - before
        this.#freeBytes()
      }
    })
    request.on('end', () => body.end('whole'))
    request.on('error', () => body.end('gone'))
    request.on('close', () => body.end('gone'))
  }

  /**
   * Drops the oldest bodies while all bodies together take too much memory. The oldest bodies are those of stalled
   * clients, so active clients are served.
   */
  #freeBytes(): void {
    for (const oldest of this.#incomplete) {
      if (this.#bufferedBytes <= this.#mostBuffered) return
      oldest.end('overloaded')
    }
  }
}

type End = 'whole' | 'gone' | BodyProblem

const NOTHING = Buffer.alloc(0)

class IncompleteBody {
  readonly #mostBytes: number
  readonly end: (end: End) => void
  #buffer: Buffer = NOTHING
  #size = 0
  #pieces = 0
  #isOver = false

  constructor(mostBytes: number, ended: (end: End) => void) {
    this.#mostBytes = mostBytes
    this.end = ended
  }

  get bufferedBytes(): number {
    return this.#buffer.length
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#size)
  }

  release(): void {
    this.#buffer = NOTHING
    this.#isOver = true
  }

  /** Adds a piece. Returns false if we must stop reading from this client. */
  add(chunk: Buffer): boolean {
    const at = this.#size
    this.#size += chunk.length
    this.#pieces++
    const isMinced = this.#pieces > MOST_SMALL_PIECES + this.#size / PIECE_BYTES
    if (this.#isOver) return !isMinced && this.#size <= MAX_DRAINED_BYTES
    if (isMinced) this.end('too-many-pieces')
    else if (this.#size > this.#mostBytes) this.end('too-large')
    else if (at === 0) this.#buffer = chunk
    else this.#append(chunk, at)
    return true
  }

  /**
   * Appends a piece. Most bodies arrive in one piece, which is used without a copy. Any other body gets a buffer of
   * twice its size so far.
   */
  #append(chunk: Buffer, at: number): void {
    if (this.#buffer.length < this.#size) {
      const larger = Buffer.allocUnsafeSlow(Math.min(this.#mostBytes, this.#size * 2))
      this.#buffer.copy(larger, 0, 0, at)
      this.#buffer = larger
    }
    chunk.copy(this.#buffer, at)
  }
}
