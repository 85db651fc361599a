// What parsing and checking JSON costs grows with its names and list elements, not with its bytes: one long text is
// cheap, a list of empty objects as long is not. So they are counted before anything is parsed, for a caller that nobody
// knows yet. The same pass bounds the nesting, so that whatever walks the parsed body may recurse.
//
// Bytes that are not JSON may be counted in any way: the parser refuses them.
import { Refusal } from '../../errors/catalogue.ts'

/** A payment with 1000 products of four fields has 5000 names and 1000 elements. */
export const MOST_VALUES = 8_000
/** Below the body itself. */
export const MAX_DEPTH = 32

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const LIST = 0x5b
const BACKSLASH = 0x5c
const LIST_END = 0x5d
const OBJECT = 0x7b
const OBJECT_END = 0x7d
const SPACE = 0x20

export function checkJsonShape(bytes: Buffer): void {
  if (isSurelySmall(bytes)) return
  const { values, depth } = shapeOf(bytes)
  if (values > MOST_VALUES)
    throw new Refusal('99997', `the body holds more than ${MOST_VALUES} names and list elements`)
  if (depth > MAX_DEPTH) throw new Refusal('99997', `the body is nested deeper than ${MAX_DEPTH} levels`)
}

/**
 * Most bodies are: an element takes two bytes at least, and without brackets nothing nests. Looking for the brackets
 * costs 0.5 µs for an ordinary payment, the pass 3 µs.
 */
function isSurelySmall(bytes: Buffer): boolean {
  return bytes.length <= MOST_VALUES * 2 && countUpTo(MAX_DEPTH + 1, LIST, OBJECT, bytes) <= MAX_DEPTH + 1
}

/** How often either byte occurs; stops counting beyond `most`. */
function countUpTo(most: number, one: number, other: number, bytes: Buffer): number {
  let count = 0
  for (const byte of [one, other])
    for (let at = bytes.indexOf(byte); at >= 0 && count <= most; at = bytes.indexOf(byte, at + 1)) count++
  return count
}

type Shape = {
  /** Names of objects and elements of lists, at every level. */
  readonly values: number
  /** Levels below the outermost object or list. */
  readonly depth: number
}

/** Stops as soon as one of them is over its bound. */
export function shapeOf(bytes: Buffer): Shape {
  /** Whether what is open at each level is a list. */
  const lists = new Uint8Array(MAX_DEPTH + 1)
  const end = bytes.length
  let values = 0
  let level = -1
  let depth = 0
  for (let at = 0; at < end; at++) {
    const byte = bytes[at] ?? 0
    if (structural[byte] === 0) continue
    if (byte === QUOTE) {
      at = stringEnd(bytes, at)
    } else if (byte === COLON) {
      values++
    } else if (byte === COMMA) {
      values += lists[level] ?? 0
    } else if (byte === LIST || byte === OBJECT) {
      level++
      depth = Math.max(depth, level)
      if (depth > MAX_DEPTH) break
      lists[level] = byte === LIST ? 1 : 0
    } else {
      if (byte === LIST_END && !isEmptyList(bytes, at)) values++
      level = Math.max(level - 1, -1)
    }
    if (values > MOST_VALUES) break
  }
  return { values, depth }
}

const structural = new Uint8Array(256)
for (const byte of [QUOTE, COLON, COMMA, LIST, LIST_END, OBJECT, OBJECT_END]) structural[byte] = 1

function stringEnd(bytes: Buffer, start: number): number {
  const end = bytes.length
  for (let at = start + 1; at < end; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) return at
    if (byte === BACKSLASH) at++
  }
  return end
}

/** The one that ends here: nothing but white space since it began. */
function isEmptyList(bytes: Buffer, end: number): boolean {
  let at = end - 1
  while ((bytes[at] ?? LIST) <= SPACE) at--
  return bytes[at] === LIST
}
