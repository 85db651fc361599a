// Texts that stay while a request is served. Outside the heap they cost the garbage collector nothing; as strings they would
// live long enough to be moved to its old generation, which is most of what the log would cost a payment.

const SLAB_BYTES = 64 * 1024
/** A character of a string has at most three bytes in UTF-8. */
const BYTES_PER_CHARACTER = 3

let slab = Buffer.allocUnsafeSlow(SLAB_BYTES)
let end = 0

/** Bytes of a slab, which is freed with the last text in it. A view of its own would cost more than the text. */
export type KeptText = { readonly slab: Buffer; readonly start: number; readonly end: number }

/** In UTF-8. */
export function keepText(text: string): KeptText {
  const most = text.length * BYTES_PER_CHARACTER
  if (most > SLAB_BYTES) return ownSlab(text)
  if (end + most > SLAB_BYTES) {
    slab = Buffer.allocUnsafeSlow(SLAB_BYTES)
    end = 0
  }
  const start = end
  end += slab.write(text, start)
  return { slab, start, end }
}

function ownSlab(text: string): KeptText {
  const bytes = Buffer.from(text)
  return { slab: bytes, start: 0, end: bytes.length }
}
