// Bytes on their way to PostgreSQL, put one behind the other into room that grows by itself and is used again. Numbers are
// written with the highest byte first. Buffer's own methods check their arguments each time, which takes longer than writing.
const FIRST_BYTES = 1 << 14
const HALF = 2 ** 32
const SHORT = 16

export class Packet {
  end = 0
  #bytes = Buffer.allocUnsafeSlow(FIRST_BYTES)
  #view = new DataView(this.#bytes.buffer)

  /** What was put so far: the room itself, so it stands until something else is put there. */
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

  putInt8(value: bigint | number): void {
    this.#reserve(8)
    if (typeof value === 'bigint') this.#putBig(value)
    else this.#putWhole(value)
    this.end += 8
  }

  #putBig(value: bigint): void {
    if (BigInt.asIntN(64, value) !== value) throw new RangeError('an integer of more than eight bytes')
    this.#view.setBigInt64(this.end, value)
  }

  #putWhole(value: number): void {
    if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is not a whole number, or not exact`)
    this.#view.setInt32(this.end, Math.floor(value / HALF))
    this.#view.setInt32(this.end + 4, value)
  }

  /** In UTF-8; how many bytes it took. */
  putText(value: string): number {
    // No character takes more than three bytes for each of its code units.
    this.#reserve(3 * value.length)
    const size =
      (value.length <= SHORT && this.#putAscii(value)) || this.#bytes.write(value, this.end, 'utf8')
    this.end += size
    return size
  }

  /** 0 when it is no ASCII. Crossing over to native code takes longer than a short text. */
  #putAscii(value: string): number {
    const bytes = this.#bytes
    let at = this.end
    for (let index = 0; index < value.length; index++) {
      const code = value.charCodeAt(index)
      if (code > 127) return 0
      bytes[at++] = code
    }
    return value.length
  }

  putBytes(value: Buffer): void {
    this.#reserve(value.length)
    this.end += value.copy(this.#bytes, this.end)
  }

  /** Four bytes for a size that is known later, when `putSize` is told their place. */
  skipSize(): number {
    this.putInt4(0)
    return this.end - 4
  }

  /** The bytes behind it, until here. */
  putSize(place: number): void {
    this.#view.setInt32(place, this.end - place - 4)
  }

  /** The bytes from it on: a message counts its own size in. */
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
