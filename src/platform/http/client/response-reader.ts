// Reads one HTTP/1.1 response that arrives in pieces of any size. Two different lengths, a folded header or an unknown
// encoding end the reading. If other headers contradict each other, the connection is not reused. The server may be
// hostile, so the time is proportional to the number of bytes, and bytes, pieces and interim responses are bounded.
import { memoize } from '../../base/memoize.ts'
import { isToken } from './request-head.ts'

export type Reading =
  /** `reusable`: true if the connection can carry another request. */
  { readonly kind: 'done'; readonly reusable: boolean } | { readonly kind: 'broken'; readonly why: string }

/** The maximum number of pieces of a response. Each piece, even of one byte, costs a turn of the event loop. */
export const MOST_PIECES = 256
const MOST_INTERIM = 8
/** The maximum number of bytes of all heads together, including interim responses. */
const MOST_HEAD_BYTES = 16_384
/**
 * The maximum number of received bytes, as a multiple of the body's limit. A chunk with one byte of the body takes six
 * bytes.
 */
const MOST_RAW_FACTOR = 8
const CRLF = '\r\n'
const END_OF_HEAD = '\r\n\r\n'

type Framing =
  | { readonly kind: 'length'; readonly bytes: number }
  | { readonly kind: 'chunks' }
  | { readonly kind: 'until-closed' }

type Head = {
  readonly status: number
  readonly headers: ResponseHeaders
  readonly keptMs: number
  readonly framing: Framing
  readonly reusable: boolean
}

/** The headers by name in lower case. The values of a repeated header are joined by commas. */
type ResponseHeaders = Readonly<Record<string, string>>

export class ResponseReader {
  readonly #mostBytes: number
  readonly #mostPieces: number
  #pieces = 0
  #head: Head | undefined
  #interim = 0
  readonly #heads = new ByteList()
  /** The position where the current head begins, and the position up to which the end of the head was searched. */
  #headFrom = 0
  #scanned = 0
  readonly #body = new ByteList()
  #chunks: ChunkDecoder | undefined
  #rawBytes = 0
  /** The body, if the first piece was the whole response. */
  #text: string | undefined

  constructor(mostBytes: number, mostPieces = MOST_PIECES) {
    this.#mostBytes = mostBytes
    this.#mostPieces = mostPieces
  }

  get status(): number | undefined {
    return this.#head?.status
  }

  get headers(): ResponseHeaders {
    return this.#head?.headers ?? {}
  }

  /** The time for which the connection may be reused while it is idle. Infinite if the server announces no time-out. */
  get keptMs(): number {
    return this.#head?.keptMs ?? 0
  }

  /** The body so far, up to the limit. */
  text(): string {
    return this.#text ?? this.#body.bytes.toString('utf8', 0, Math.min(this.#body.length, this.#mostBytes))
  }

  /**
   * Reads a piece. The caller may overwrite the piece afterwards. Returns undefined while the response is incomplete.
   */
  push(piece: Buffer): Reading | undefined {
    this.#pieces++
    if (this.#pieces === 1 && this.#isWhole(piece)) return this.#head?.reusable ? REUSABLE : CLOSED
    if (this.#pieces > this.#mostPieces) return broken('the response comes in too many pieces')
    return this.#head === undefined ? this.#readHeads(piece) : this.#readBody(this.#head, piece)
  }

  /** Returns the result after the server has closed the connection. */
  ended(): Reading {
    if (this.#head?.framing.kind === 'until-closed') return CLOSED
    return broken('the connection was closed before the response was complete')
  }

  /**
   * Most responses arrive complete in the first piece. Reads the head and body directly from that piece, without a
   * copy. Returns false for any other response.
   */
  #isWhole(piece: Buffer): boolean {
    const end = piece.indexOf(END_OF_HEAD)
    const head = end < 0 ? NOT_HTTP : readHead(piece.toString('latin1', 0, end))
    if (typeof head === 'string' || head.status < 200 || head.framing.kind !== 'length') return false
    const { bytes } = head.framing
    if (bytes > this.#mostBytes || piece.length !== end + 4 + bytes) return false
    this.#head = head
    this.#text = piece.toString('utf8', end + 4)
    return true
  }

  #readHeads(piece: Buffer): Reading | undefined {
    this.#heads.append(piece)
    const { bytes } = this.#heads
    for (;;) {
      const end = bytes.indexOf(END_OF_HEAD, Math.max(this.#headFrom, this.#scanned - 3))
      if ((end < 0 ? bytes.length : end) > MOST_HEAD_BYTES) return broken('its head is too long')
      this.#scanned = bytes.length
      if (end < 0) return undefined
      const head = readHead(bytes.toString('latin1', this.#headFrom, end))
      if (typeof head === 'string') return broken(head)
      if (head.status === 101) return broken('it changes the protocol')
      this.#headFrom = end + 4
      this.#scanned = this.#headFrom
      if (head.status >= 200) {
        this.#head = head
        return this.#readBody(head, bytes.subarray(end + 4))
      }
      if (++this.#interim > MOST_INTERIM) return broken('it sends too many interim responses')
    }
  }

  #readBody(head: Head, piece: Buffer): Reading | undefined {
    const { framing, reusable } = head
    this.#rawBytes += piece.length
    if (framing.kind === 'chunks') return this.#readChunks(head, piece)
    if (framing.kind === 'until-closed') {
      this.#body.append(piece)
    } else {
      this.#body.append(piece.subarray(0, framing.bytes - this.#body.length))
      if (this.#rawBytes >= framing.bytes && framing.bytes <= this.#mostBytes)
        return reusable && this.#rawBytes === framing.bytes ? REUSABLE : CLOSED
    }
    return this.#body.length > this.#mostBytes ? broken(tooLong(head.status, this.#mostBytes)) : undefined
  }

  #readChunks(head: Head, piece: Buffer): Reading | undefined {
    this.#chunks ??= new ChunkDecoder(this.#body)
    const decoding = this.#chunks.push(piece)
    if (decoding?.kind === 'malformed') return broken(NOT_HTTP)
    // Bytes after the body do not count, because the result must not depend on how the response is split into pieces.
    const rawBytes = this.#rawBytes - (decoding === undefined ? 0 : piece.length - decoding.end)
    if (this.#body.length > this.#mostBytes || rawBytes > MOST_RAW_FACTOR * this.#mostBytes)
      return broken(tooLong(head.status, this.#mostBytes))
    if (decoding === undefined) return undefined
    return head.reusable && decoding.end === piece.length ? REUSABLE : CLOSED
  }
}

const REUSABLE: Reading = { kind: 'done', reusable: true }
const CLOSED: Reading = { kind: 'done', reusable: false }

function tooLong(status: number, mostBytes: number): string {
  return `answered ${status} with more than ${mostBytes} bytes`
}

function broken(why: string): Reading {
  return { kind: 'broken', why }
}

const NOT_HTTP = 'it did not respond in HTTP/1.1'

/** Caches the results of `parseHead`, because a host sends the same head many times a second. */
const readHead = memoize(64, parseHead)

/** Parses a head. If the head cannot be used, returns a sentence about the problem. */
function parseHead(text: string): Head | string {
  const [statusLine = '', ...lines] = text.split(CRLF)
  const [, minor, code] = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: |$)/.exec(statusLine) ?? []
  if (code === undefined || hasControls.test(statusLine)) return NOT_HTTP
  const status = Number(code)
  let length: number | undefined
  let isChunked = false
  let closes = minor === '0'
  const headers: Record<string, string> = Object.create(null)
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    // A folded line, which begins with a space, fails this check as well.
    if (colon <= 0 || !isToken.test(name) || hasControls.test(line)) return NOT_HTTP
    const value = line.slice(colon + 1).trim()
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value
    if (name === 'content-length') {
      if (!/^\d{1,15}$/.test(value)) return NOT_HTTP
      if (length !== undefined && length !== Number(value)) return 'it has two different lengths'
      length = Number(value)
    } else if (name === 'transfer-encoding') {
      if (isChunked || value.toLowerCase() !== 'chunked') return 'its encoding is not supported'
      isChunked = true
    } else if (name === 'connection') {
      closes ||= /\bclose\b/i.test(value)
    }
  }
  // If headers contradict each other, the end of the response is unclear. Bytes after the assumed end could be taken
  // for the next response.
  const isDisputable = hasNoBody(status) ? isChunked || (length ?? 0) > 0 : isChunked && length !== undefined
  const reusable = !closes && !isDisputable
  const keptMs = keptMsOf(headers['keep-alive'])
  return { status, headers, keptMs, framing: framingOf(status, isChunked, length), reusable }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const hasControls = /[\x00-\x08\x0a-\x1f\x7f]/

/** Returns one second less than the server announces, because our next request takes some time to arrive. */
function keptMsOf(keepAlive = ''): number {
  const [, seconds] = /(?:^|,)\s*timeout=(\d{1,6})\s*(?:,|$)/i.exec(keepAlive) ?? []
  return seconds === undefined ? Number.POSITIVE_INFINITY : Math.max(0, Number(seconds) * 1_000 - 1_000)
}

function framingOf(status: number, isChunked: boolean, length: number | undefined): Framing {
  if (hasNoBody(status)) return { kind: 'length', bytes: 0 }
  if (isChunked) return { kind: 'chunks' }
  return length === undefined ? { kind: 'until-closed' } : { kind: 'length', bytes: length }
}

function hasNoBody(status: number): boolean {
  return status < 200 || status === 204 || status === 304
}

// Decodes a chunked body that arrives in pieces of any size. Each byte is read once: between pieces the decoder stores
// only the unfinished line, or the remaining size of a chunk. The caller limits the number of bytes.

type Decoding =
  /** `end`: the number of bytes of the last piece that belonged to the body. */
  { readonly kind: 'done'; readonly end: number } | { readonly kind: 'malformed' }

const LINE_FEED = 10
const MALFORMED: Decoding = { kind: 'malformed' }

class ChunkDecoder {
  readonly #body: ByteList
  #expects: 'size' | 'data' | 'end of data' | 'trailer' = 'size'
  #line = ''
  #left = 0

  constructor(body: ByteList) {
    this.#body = body
  }

  /** Returns undefined while the body is incomplete. */
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

/**
 * Collects bytes. Whenever the capacity is too small, it at least doubles, so a byte is copied fewer than three times
 * on average.
 */
class ByteList {
  #buffer: Buffer = EMPTY
  #length = 0

  get length(): number {
    return this.#length
  }

  /** The bytes so far. Later pieces do not overwrite these bytes. */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length)
  }

  /** Copies the piece, so that the caller may overwrite it afterwards. */
  append(piece: Buffer): void {
    const length = this.#length + piece.length
    if (length > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.#buffer.length, LEAST_BYTES))
      this.#buffer.copy(larger, 0, 0, this.#length)
      this.#buffer = larger
    }
    piece.copy(this.#buffer, this.#length)
    this.#length = length
  }
}

const EMPTY = Buffer.alloc(0)
const LEAST_BYTES = 256
