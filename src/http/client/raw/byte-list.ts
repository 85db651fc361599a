/** Collects bytes that arrive in pieces. The capacity doubles when it is used up, so a byte is copied twice on average. */
export class ByteList {
  #buffer: Buffer = EMPTY
  #length = 0

  get length(): number {
    return this.#length
  }

  /** The bytes so far. Later pieces do not overwrite them. */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length)
  }

  /** Copies the piece: the caller may overwrite it afterwards. */
  append(piece: Buffer): void {
    const length = this.#length + piece.length
    if (length > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.#buffer.length, LEAST_BYTES))
      this.#buffer.copy(larger, 0, 0, this.#length)
      this.#buffer = larger
    }
    piece.copy(this.#buffer, this.#length)
    this.#length = length
  }
}

const EMPTY = Buffer.alloc(0)
const LEAST_BYTES = 256
