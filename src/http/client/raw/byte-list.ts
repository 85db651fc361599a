/** Bytes that come in pieces. Room doubles when it runs out, so that a byte is copied twice on average, however small the pieces. */
export class ByteList {
  #room: Buffer = NO_ROOM
  #length = 0

  get length(): number {
    return this.#length
  }

  /** What came so far; overwritten by nothing that comes later. */
  get bytes(): Buffer {
    return this.#room.subarray(0, this.#length)
  }

  /** Copied: the piece may be overwritten afterwards. */
  append(piece: Buffer): void {
    const length = this.#length + piece.length
    if (length > this.#room.length) {
      const room = Buffer.allocUnsafe(Math.max(length, 2 * this.#room.length, LEAST_ROOM))
      this.#room.copy(room, 0, 0, this.#length)
      this.#room = room
    }
    piece.copy(this.#room, this.#length)
    this.#length = length
  }
}

const NO_ROOM = Buffer.alloc(0)
const LEAST_ROOM = 256
