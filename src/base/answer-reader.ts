// Reads one HTTP/1.1 answer from whatever pieces it comes in, and no more of its body than is wanted. It takes only what
// has one meaning: two lengths that differ, a folded header or an unknown encoding end the reading.

import { remember } from './remember.ts'

export type Reading =
  /** `kept`: the connection can be used for another request. */
  { readonly kind: 'done'; readonly kept: boolean } | { readonly kind: 'broken'; readonly why: string }

const MOST_HEAD_BYTES = 16_384
/** Chunks of a byte each take six times what they carry. */
const MOST_RAW_FACTOR = 8
const CRLF = '\r\n'

type Framing =
  | { readonly kind: 'length'; readonly bytes: number }
  | { readonly kind: 'chunks' }
  | { readonly kind: 'until-closed' }

type Head = { readonly status: number; readonly framing: Framing; readonly kept: boolean }

export class AnswerReader {
  readonly #mostBytes: number
  #head: Head | undefined
  /** Of the head, then of the body as it was sent. */
  #raw: Buffer = NOTHING
  #body: Buffer = NOTHING
  /** Of a body that came in whole in the first piece. */
  #text: string | undefined

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  get status(): number | undefined {
    return this.#head?.status
  }

  /** Of the body, as much as came and is wanted. */
  text(): string {
    return this.#text ?? this.#body.toString('utf8', 0, Math.min(this.#body.length, this.#mostBytes))
  }

  /** Undefined while more is to come. The piece is not kept: it may be overwritten afterwards. */
  push(piece: Buffer): Reading | undefined {
    if (this.#raw === NOTHING && this.#isWhole(piece)) return this.#head?.kept ? KEPT : CLOSED
    this.#raw = this.#raw.length === 0 ? Buffer.from(piece) : Buffer.concat([this.#raw, piece])
    while (this.#head === undefined) {
      const end = this.#raw.indexOf('\r\n\r\n')
      if (end < 0) return this.#raw.length > MOST_HEAD_BYTES ? broken('its head is too long') : undefined
      const head = readHead(this.#raw.toString('latin1', 0, end))
      if (typeof head === 'string') return broken(head)
      this.#raw = this.#raw.subarray(end + 4)
      // An interim answer: the one that counts follows.
      if (head.status >= 200) this.#head = head
      else if (head.status === 101) return broken('it changes the protocol')
    }
    return this.#readBody(this.#head)
  }

  /** The other side has closed the connection. */
  ended(): Reading {
    if (this.#head?.framing.kind === 'until-closed') return CLOSED
    return broken('the connection was closed before the answer was whole')
  }

  /** Most answers are short and come in one piece: they are read where they lie. */
  #isWhole(piece: Buffer): boolean {
    const end = piece.indexOf('\r\n\r\n')
    const head = end < 0 ? NOT_HTTP : readHead(piece.toString('latin1', 0, end))
    if (typeof head === 'string' || head.status < 200 || head.framing.kind !== 'length') return false
    const { bytes } = head.framing
    if (bytes > this.#mostBytes || piece.length !== end + 4 + bytes) return false
    this.#head = head
    this.#text = piece.toString('utf8', end + 4)
    return true
  }

  #readBody({ framing, kept }: Head): Reading | undefined {
    if (framing.kind === 'chunks') return this.#readChunks(kept)
    this.#body = this.#raw
    if (this.#body.length > this.#mostBytes) return broken(tooLong(this.#mostBytes))
    if (framing.kind === 'until-closed' || this.#raw.length < framing.bytes) return undefined
    if (this.#raw.length > framing.bytes) {
      this.#body = this.#raw.subarray(0, framing.bytes)
      return CLOSED
    }
    return kept ? KEPT : CLOSED
  }

  #readChunks(kept: boolean): Reading | undefined {
    const read = decodeChunks(this.#raw)
    if (typeof read === 'string') return broken(read)
    this.#body = read.body
    if (read.body.length > this.#mostBytes || this.#raw.length > MOST_RAW_FACTOR * this.#mostBytes)
      return broken(tooLong(this.#mostBytes))
    if (!read.whole) return undefined
    return kept && read.end === this.#raw.length ? KEPT : CLOSED
  }
}

const NOTHING = Buffer.alloc(0)
const KEPT: Reading = { kind: 'done', kept: true }
const CLOSED: Reading = { kind: 'done', kept: false }

function broken(why: string): Reading {
  return { kind: 'broken', why }
}

function tooLong(bytes: number): string {
  return `the answer is longer than ${bytes} bytes`
}

const NOT_HTTP = 'it did not answer in HTTP/1.1'

// One host answers many of a moment with the same head.
const readHead = remember(64, parseHead)

/** What is wrong with it, as a sentence, when it cannot be used. */
function parseHead(text: string): Head | string {
  const [statusLine = '', ...lines] = text.split(CRLF)
  const [, minor, code] = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: |$)/.exec(statusLine) ?? []
  if (code === undefined) return NOT_HTTP
  const status = Number(code)
  let length: number | undefined
  let isChunked = false
  let closes = minor === '0'
  for (const line of lines) {
    const colon = line.indexOf(':')
    if (colon <= 0 || line.startsWith(' ') || line.startsWith('\t')) return NOT_HTTP
    const name = line.slice(0, colon).toLowerCase()
    if (name === 'content-length') {
      const value = line.slice(colon + 1).trim()
      if (!/^\d{1,15}$/.test(value)) return NOT_HTTP
      if (length !== undefined && length !== Number(value)) return 'it tells two lengths'
      length = Number(value)
    } else if (name === 'transfer-encoding') {
      if (
        line
          .slice(colon + 1)
          .trim()
          .toLowerCase() !== 'chunked'
      )
        return 'its encoding is not known'
      isChunked = true
    } else if (name === 'connection') {
      closes ||= /\bclose\b/i.test(line.slice(colon + 1))
    }
  }
  return { status, framing: framingOf(status, isChunked, length), kept: !closes }
}

function framingOf(status: number, isChunked: boolean, length: number | undefined): Framing {
  if (status < 200 || status === 204 || status === 304) return { kind: 'length', bytes: 0 }
  if (isChunked) return { kind: 'chunks' }
  return length === undefined ? { kind: 'until-closed' } : { kind: 'length', bytes: length }
}

type Decoded = { readonly body: Buffer; readonly whole: boolean; readonly end: number }

function decodeChunks(raw: Buffer): Decoded | string {
  const parts: Buffer[] = []
  const sofar = (whole: boolean, end: number) => ({ body: Buffer.concat(parts), whole, end })
  for (let at = 0; ; ) {
    const lineEnd = raw.indexOf(CRLF, at)
    if (lineEnd < 0) return sofar(false, at)
    const [, size] = /^([0-9a-f]{1,8})[ \t]*(?:;.*)?$/i.exec(raw.toString('latin1', at, lineEnd)) ?? []
    if (size === undefined) return NOT_HTTP
    const bytes = Number.parseInt(size, 16)
    const from = lineEnd + 2
    if (bytes === 0) return endOfTrailers(raw, from, sofar)
    parts.push(raw.subarray(from, from + bytes))
    if (raw.length < from + bytes + 2) return sofar(false, at)
    if (raw.toString('latin1', from + bytes, from + bytes + 2) !== CRLF) return NOT_HTTP
    at = from + bytes + 2
  }
}

function endOfTrailers(raw: Buffer, from: number, sofar: (whole: boolean, end: number) => Decoded): Decoded {
  if (raw.toString('latin1', from, from + 2) === CRLF) return sofar(true, from + 2)
  const end = raw.indexOf('\r\n\r\n', from)
  return end < 0 ? sofar(false, from) : sofar(true, end + 4)
}
