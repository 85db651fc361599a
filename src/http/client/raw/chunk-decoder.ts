// Decodes a chunked HTTP/1.1 body that arrives in pieces of any size. Each byte is read once: between pieces only the
// unfinished line, or the size left of a chunk, is stored. The caller bounds the bytes.
import type { ByteList } from './byte-list.ts'

export type Decoding =
  /** `end`: the number of bytes of the last piece that belonged to the body. */
  { readonly kind: 'done'; readonly end: number } | { readonly kind: 'malformed' }

const LINE_FEED = 10
const MALFORMED: Decoding = { kind: 'malformed' }

export class ChunkDecoder {
  readonly #body: ByteList
  #expects: 'size' | 'data' | 'end of data' | 'trailer' = 'size'
  #line = ''
  #left = 0

  constructor(body: ByteList) {
    this.#body = body
  }

  /** Undefined while the body is incomplete. */
  push(piece: Buffer): Decoding | undefined {
    for (let at = 0; at < piece.length; ) {
      if (this.#expects === 'data') {
        at = this.#takeData(piece, at)
        continue
      }
      const lineEnd = piece.indexOf(LINE_FEED, at) + 1
      this.#line += piece.toString('latin1', at, lineEnd === 0 ? piece.length : lineEnd)
      if (lineEnd === 0) return undefined
      at = lineEnd
      const line = this.#line
      this.#line = ''
      if (!line.endsWith('\r\n')) return MALFORMED
      if (this.#expects === 'trailer' && line === '\r\n') return { kind: 'done', end: at }
      if (!this.#takeLine(line.slice(0, -2))) return MALFORMED
    }
    return undefined
  }

  #takeData(piece: Buffer, at: number): number {
    const data = piece.subarray(at, at + this.#left)
    this.#body.append(data)
    this.#left -= data.length
    if (this.#left === 0) this.#expects = 'end of data'
    return at + data.length
  }

  /** False for a malformed line. */
  #takeLine(line: string): boolean {
    if (this.#expects === 'trailer') return true
    if (this.#expects === 'end of data') {
      this.#expects = 'size'
      return line === ''
    }
    const [, size] = /^([0-9a-f]{1,8})[ \t]*(?:;.*)?$/i.exec(line) ?? []
    if (size === undefined) return false
    this.#left = Number.parseInt(size, 16)
    this.#expects = this.#left === 0 ? 'trailer' : 'data'
    return true
  }
}
