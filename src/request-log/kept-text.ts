// Texts that stay while a request is served. Outside the heap they cost the garbage collector nothing; as strings they would
// live long enough to be moved to its old generation, which is most of what the log would cost a payment.

const SLAB_BYTES = 64 * 1024
/** A character of a string has at most three bytes in UTF-8. */
const BYTES_PER_CHARACTER = 3

let slab = Buffer.allocUnsafeSlow(SLAB_BYTES)
let end = 0

/** Its text in UTF-8. A slab is freed with the last text in it. */
export function keepText(text: string): Buffer {
  const most = text.length * BYTES_PER_CHARACTER
  if (most > SLAB_BYTES) return Buffer.from(text)
  if (end + most > SLAB_BYTES) {
    slab = Buffer.allocUnsafeSlow(SLAB_BYTES)
    end = 0
  }
  const start = end
  end += slab.write(text, start)
  return slab.subarray(start, end)
}
