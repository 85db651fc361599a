// Packs the bodies of several requests into one compressed block. Requests are much alike, so together they take a tenth of
// the space and of the time.
import { promisify } from 'node:util'
import { constants, zstdCompressSync, zstdDecompress } from 'node:zlib'
import { assert } from '../errors/catalogue.ts'
import type { Bodies, RequestEntry } from './entry.ts'

// JSON escapes this character, so no body contains it.
const SEPARATOR = '\0'
const PARTS = 6
const fast = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

const decompress = promisify(zstdDecompress)

export function packBodies(list: readonly RequestEntry[]): Buffer {
  const texts: string[] = []
  for (const one of list) {
    const { address, agent, paymentType, referer, body = '', answer } = one
    texts.push(address, header(agent), header(paymentType), header(referer), body, answer)
  }
  // In another thread it would take twice the processor time.
  return zstdCompressSync(Buffer.from(texts.join(SEPARATOR)), fast)
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
  return text.replaceAll(SEPARATOR, '')
}
