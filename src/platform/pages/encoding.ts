// Decides whether a text is sent compressed. Files and pages that seldom change are compressed once (asset.ts). Pages
// that are made for each request use the fastest level, which takes a fraction of the time of rendering. Pages below
// the lower limit gain little, and pages above the upper limit would take too long to compress. These pages are sent
// uncompressed.
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
