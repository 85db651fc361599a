// Stores the texts that the log needs until a request is answered, outside the heap of the garbage collector. Strings
// would live long enough to be moved to the old generation, which would be most of the log's cost.

const SLAB_BYTES = 64 * 1024
/** The maximum number of bytes in UTF-8 of one code unit of a string. */
export const BYTES_PER_CHARACTER = 3
const MOST_FREE = 64

type Slab = { readonly bytes: Buffer; texts: number }

/** A text's range of bytes in a slab. A Buffer for each text would cost more than the text. */
export type KeptText = { readonly slab: Slab; readonly start: number; readonly end: number }

/** Empty slabs for reuse. Allocating slabs again would cost the garbage collector time. */
const free: Slab[] = []
let current = newSlab(SLAB_BYTES)
let end = 0

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

/** Lets the text's slab be reused. A slab with a text that is never released is left to the garbage collector. */
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
