// Packs the bodies of several requests into one compressed block. Requests resemble each other, so compressing them
// together takes a tenth of the space and of the time.
import { promisify } from 'node:util'
import { constants, zstdCompressSync, zstdDecompress } from 'node:zlib'
import { assert } from '../errors/catalogue.ts'
import type { Bodies, RequestEntry } from './entry.ts'
import { BYTES_PER_CHARACTER, releaseText } from './kept-text.ts'

type Block = {
  /** Adds the entry. Returns false if the block has too little space. */
  add(entry: RequestEntry): boolean
  /** Returns the added entries, compressed, and starts a new block. */
  pack(): Buffer
}

/** No body contains this character, because JSON escapes the character. */
const SEPARATOR = '\0'
const PARTS = 6
const MOST_BYTES = 16 * 1024 * 1024
const FIRST_BYTES = 256 * 1024
const fast = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

const decompress = promisify(zstdDecompress)

/**
 * Opens a block. `add` copies texts at once. If strings waited half a second for `pack`, the garbage collection would
 * move each string twice.
 */
export function openBlock(): Block {
  let bytes = Buffer.allocUnsafe(FIRST_BYTES)
  let end = 0

  function makeSpace(more: number): boolean {
    const needed = end + more
    if (needed > MOST_BYTES) return false
    if (needed > bytes.length) {
      const larger = Buffer.allocUnsafe(Math.min(Math.max(2 * bytes.length, needed), MOST_BYTES))
      bytes.copy(larger, 0, 0, end)
      bytes = larger
    }
    return true
  }

  return {
    add({ address, agent, paymentType, referer, body, answer }) {
      const headers = `${address}\0${header(agent)}\0${header(paymentType)}\0${header(referer)}\0`
      const bodyBytes = body === undefined ? 0 : body.end - body.start
      if (!makeSpace(bodyBytes + (headers.length + answer.length + 2) * BYTES_PER_CHARACTER)) return false
      end += bytes.write(headers, end)
      if (body !== undefined) {
        end += body.slab.bytes.copy(bytes, end, body.start, body.end)
        releaseText(body)
      }
      bytes[end++] = 0
      end += bytes.write(answer, end)
      bytes[end++] = 0
      return true
    },
    pack() {
      // Compression in another thread would take twice the processor's time.
      const packed = zstdCompressSync(bytes.subarray(0, end), fast)
      end = 0
      return packed
    },
  }
}

/**
 * Returns the bodies of one request. A block contains requests of several merchants, so callers must take `place` from
 * a row of the merchant, and must never give a whole block to a merchant.
 */
export async function unpackBodies(packed: Buffer, place: number): Promise<Bodies> {
  const texts = (await decompress(packed)).toString('utf8').split(SEPARATOR)
  const [address, agent, paymentType, referer, body, answer] = texts.slice(place * PARTS)
  assert(
    address !== undefined && agent !== undefined && paymentType !== undefined && referer !== undefined,
    'a block holds the headers of all its requests',
  )
  assert(body !== undefined && answer !== undefined, 'a block holds the bodies of all its requests')
  return { address, agent, paymentType, referer, body, answer }
}

function header(text: string): string {
  return text.includes(SEPARATOR) ? text.replaceAll(SEPARATOR, '') : text
}
