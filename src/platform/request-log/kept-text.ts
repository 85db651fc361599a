// Texts that stay while a request is served. Outside the heap they cost the garbage collector nothing; as strings they would
// live long enough to be moved to its old generation, which is most of what the log would cost a payment.

const SLAB_BYTES = 64 * 1024
/** A character of a string has at most three bytes in UTF-8. */
const BYTES_PER_CHARACTER = 3
const MOST_FREE = 64

type Slab = { readonly bytes: Buffer; texts: number }

/** Bytes of a slab. A view of its own would cost more than the text. */
export type KeptText = { readonly slab: Slab; readonly start: number; readonly end: number }

/** Slabs are used again: freeing and allocating them makes the garbage collector work. */
const free: Slab[] = []
let current = newSlab(SLAB_BYTES)
let end = 0

/** In UTF-8. */
export function keepText(text: string): KeptText {
  const most = text.length * BYTES_PER_CHARACTER
  if (most > SLAB_BYTES) return ownSlab(text)
  if (end + most > SLAB_BYTES) {
    if (current.texts === 0) free.push(current)
    current = free.pop() ?? newSlab(SLAB_BYTES)
    end = 0
  }
  const start = end
  end += current.bytes.write(text, start)
  current.texts++
  return { slab: current, start, end }
}

/** A text that is never released costs its slab, which is freed with it. */
export function releaseText({ slab }: KeptText): void {
  slab.texts--
  if (slab.texts === 0 && slab !== current && slab.bytes.length === SLAB_BYTES && free.length < MOST_FREE)
    free.push(slab)
}

function ownSlab(text: string): KeptText {
  const bytes = Buffer.from(text)
  return { slab: { bytes, texts: 1 }, start: 0, end: bytes.length }
}

function newSlab(size: number): Slab {
  return { bytes: Buffer.allocUnsafeSlow(size), texts: 0 }
}
