// Decides whether a text is sent compressed. Files and pages that never change are compressed once (asset.ts). Pages
// that are made for each request are compressed with the fastest level, which takes a fraction of the time that rendering
// takes. Small pages fit in few packets anyway, and no page is larger than the upper limit.
import { gzipSync } from 'node:zlib'

const MIN_BYTES = 4_096
const MAX_BYTES = 131_072

/** True if an Accept-Encoding header names the encoding and does not refuse it with `q=0`. */
export function acceptsEncoding(header: string | string[] | undefined, encoding: 'gzip' | 'br'): boolean {
  for (const accepted of String(header ?? '').split(',')) {
    const [name = '', ...parameters] = accepted.split(';')
    if (name.trim().toLowerCase() === encoding)
      return !parameters.some((parameter) => /^\s*q=0(\.0*)?\s*$/i.test(parameter))
  }
  return false
}

/** Compresses the text of a page. Undefined if the page is too small or too large. */
export function compressPage(text: string): Buffer | undefined {
  const bytes = Buffer.from(text)
  if (bytes.length < MIN_BYTES || bytes.length > MAX_BYTES) return undefined
  return gzipSync(bytes, { level: 1 })
}
