// The bytes of one message to PostgreSQL after the other, in a buffer that grows by itself and is used again. Numbers are
// big-endian. A DataView writes them: Buffer's own methods check their arguments each time, which takes longer than writing.
const FIRST_BYTES = 1 << 14
const SHORT = 16
const HALF = 2 ** 32

export class Packet {
  end = 0
  #bytes = Buffer.allocUnsafeSlow(FIRST_BYTES)
  #view = new DataView(this.#bytes.buffer)

  /** What was put so far. It is the buffer itself, so the next use of the packet overwrites it. */
  written(): Buffer {
    return this.#bytes.subarray(0, this.end)
  }

  putByte(value: number): void {
    this.#reserve(1)
    this.#bytes[this.end++] = value
  }

  putInt2(value: number): void {
    this.#reserve(2)
    this.#view.setInt16(this.end, value)
    this.end += 2
  }

  putInt4(value: number): void {
    this.#reserve(4)
    this.#view.setInt32(this.end, value)
    this.end += 4
  }

  /** The caller has checked its range. */
  putInt8(value: bigint | number): void {
    this.#reserve(8)
    if (typeof value === 'bigint') this.#view.setBigInt64(this.end, value)
    else {
      this.#view.setInt32(this.end, Math.floor(value / HALF))
      this.#view.setInt32(this.end + 4, value)
    }
    this.end += 8
  }

  /** In UTF-8. */
  putText(value: string): void {
    // No character takes more than three bytes for each of its code units.
    this.#reserve(3 * value.length)
    if (value.length > SHORT || !this.#putAscii(value)) this.end += this.#bytes.write(value, this.end, 'utf8')
  }

  /** False when it is no ASCII. For a short text the call into native code takes longer than writing it here. */
  #putAscii(value: string): boolean {
    for (let at = 0; at < value.length; at++) {
      const code = value.charCodeAt(at)
      if (code > 127) return false
      this.#bytes[this.end + at] = code
    }
    this.end += value.length
    return true
  }

  putBytes(value: Buffer): void {
    this.#reserve(value.length)
    this.end += value.copy(this.#bytes, this.end)
  }

  /** Leaves four bytes for a size that is known later; `putSize` fills them in. */
  skipSize(): number {
    this.putInt4(0)
    return this.end - 4
  }

  /** The size of what follows the four bytes. */
  putSize(place: number): void {
    this.#view.setInt32(place, this.end - place - 4)
  }

  /** The same with the four bytes: a message counts its own size in. */
  putSizeOfAll(place: number): void {
    this.#view.setInt32(place, this.end - place)
  }

  #reserve(size: number): void {
    if (this.end + size <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(2 * (this.end + size))
    this.#bytes.copy(larger, 0, 0, this.end)
    this.#bytes = larger
    this.#view = new DataView(larger.buffer)
  }
}
