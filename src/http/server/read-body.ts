// Bodies that come in pieces, collected under bounds: bytes and pieces of each, and bytes of all bodies that are still
// coming. How long one may take is bounded with its connection (connections.ts).
import type { IncomingMessage } from 'node:http'

const MIB = 1024 * 1024
/** Of all bodies that have not come whole yet. */
const MOST_HELD_BYTES = 64 * MIB
// A client may read its response only after it has sent everything, and would find its connection reset: what is too
// much is read too, up to this size, and dropped.
export const MAX_DRAINED_BYTES = 32 * MIB
// Every piece costs about as much as reading a kilobyte. Programs send pieces of some kilobytes, networks of 500 bytes.
const MOST_SMALL_PIECES = 1_000
const PIECE_BYTES = 256

/** `overloaded`: too much of all bodies is held, and this one has been coming for longest. */
export type BodyProblem = 'too-large' | 'too-many-pieces' | 'overloaded'

/** Called at most once: with the whole body, or with why there is none. Never for a client that is gone. */
type Done = (body: Buffer | BodyProblem) => void

export class BodyReader {
  readonly #mostHeld: number
  /** In the order in which they began. */
  readonly #coming = new Set<ComingBody>()
  #heldBytes = 0

  constructor(mostHeldBytes = MOST_HELD_BYTES) {
    this.#mostHeld = mostHeldBytes
  }

  /** Of bodies that have not come whole yet. */
  get heldBytes(): number {
    return this.#heldBytes
  }

  read(request: IncomingMessage, mostBytes: number, done: Done): void {
    const body = new ComingBody(mostBytes, (end) => {
      if (!this.#coming.delete(body)) return
      this.#heldBytes -= body.heldBytes
      if (end !== 'gone') done(end === 'whole' ? body.bytes() : end)
      body.letGo()
    })
    this.#coming.add(body)
    request.on('data', (chunk: Buffer) => {
      const before = body.heldBytes
      if (!body.add(chunk)) {
        // A client that goes on for so long after its refusal reads no response.
        request.destroy()
      } else if (this.#coming.has(body)) {
        this.#heldBytes += body.heldBytes - before
        this.#freeBytes()
      }
    })
    request.on('end', () => body.end('whole'))
    request.on('error', () => body.end('gone'))
    request.on('close', () => body.end('gone'))
  }

  /** The oldest body is given up: clients that stall lose, and clients that send are served. */
  #freeBytes(): void {
    for (const oldest of this.#coming) {
      if (this.#heldBytes <= this.#mostHeld) return
      oldest.end('overloaded')
    }
  }
}

type End = 'whole' | 'gone' | BodyProblem

const NOTHING = Buffer.alloc(0)

class ComingBody {
  readonly #mostBytes: number
  readonly end: (end: End) => void
  #held: Buffer = NOTHING
  #size = 0
  #pieces = 0
  #isOver = false

  constructor(mostBytes: number, ended: (end: End) => void) {
    this.#mostBytes = mostBytes
    this.end = ended
  }

  get heldBytes(): number {
    return this.#held.length
  }

  bytes(): Buffer {
    return this.#held.subarray(0, this.#size)
  }

  letGo(): void {
    this.#held = NOTHING
    this.#isOver = true
  }

  /** False: no more of this is read. */
  add(chunk: Buffer): boolean {
    const at = this.#size
    this.#size += chunk.length
    this.#pieces++
    const isMinced = this.#pieces > MOST_SMALL_PIECES + this.#size / PIECE_BYTES
    if (this.#isOver) return !isMinced && this.#size <= MAX_DRAINED_BYTES
    if (isMinced) this.end('too-many-pieces')
    else if (this.#size > this.#mostBytes) this.end('too-large')
    else if (at === 0) this.#held = chunk
    else this.#append(chunk, at)
    return true
  }

  /** Most bodies come in one piece, which is kept as it is. Others get a buffer for twice what has come. */
  #append(chunk: Buffer, at: number): void {
    if (this.#held.length < this.#size) {
      const larger = Buffer.allocUnsafeSlow(Math.min(this.#mostBytes, this.#size * 2))
      this.#held.copy(larger, 0, 0, at)
      this.#held = larger
    }
    chunk.copy(this.#held, at)
  }
}
