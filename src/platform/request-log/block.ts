// Packs the bodies of several requests into one compressed block. Requests are much alike, so together they take a tenth of
// the space and of the time.
import { promisify } from 'node:util'
import { constants, zstdCompressSync, zstdDecompress } from 'node:zlib'
import { assert } from '../errors/catalogue.ts'
import type { Bodies, RequestEntry } from './entry.ts'
import { releaseText } from './kept-text.ts'

export type Block = {
  /** False if it does not fit. */
  add(entry: RequestEntry): boolean
  /** Returns what was added, compressed, and starts anew. */
  pack(): Buffer
}

// JSON escapes this character, so no body contains it.
const SEPARATOR = '\0'
const PARTS = 6
const MOST_BYTES = 16 * 1024 * 1024
const FIRST_BYTES = 256 * 1024
/** A character of a string has at most three bytes in UTF-8. */
const BYTES_PER_CHARACTER = 3
const fast = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

const decompress = promisify(zstdDecompress)

/** Texts are copied at once: strings that wait for half a second would be moved twice by the garbage collector. */
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
      // In another thread it would take twice the processor time.
      const packed = zstdCompressSync(bytes.subarray(0, end), fast)
      end = 0
      return packed
    },
  }
}

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
