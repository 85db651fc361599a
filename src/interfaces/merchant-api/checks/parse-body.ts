// Parses the body of a request into an object.
//
// The caller is not authenticated yet, so the shape of the body is checked before the body is parsed. The cost of
// parsing and checking depends on the number of names and list elements, not on the number of bytes. Nesting has a
// limit, so that later code may recurse. For invalid JSON the counts may be wrong, but the parser then refuses the
// body.
import { isUtf8 } from 'node:buffer'
import { isObject } from '../../../platform/base/object.ts'
import { Refusal } from '../../../platform/errors/catalogue.ts'
import type { Body } from '../fields/read-fields.ts'

export function parseBody(bytes: Buffer): Body {
  if (bytes.length === 0) throw new Refusal('99996', 'the body is empty')
  checkJsonShape(bytes)
  if (!isUtf8(bytes)) throw new Refusal('99996', 'the body is not UTF-8')
  const body = parseJson(bytes.toString('utf8'))
  if (!isObject(body)) throw new Refusal('99996', 'the body must be a JSON object')
  return body
}

function parseJson(text: string): unknown {
  try {
    // Some clients send a byte-order mark, which JSON does not allow.
    return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text)
  } catch {
    throw new Refusal('99996', 'the body is not valid JSON')
  }
}

/**
 * The maximum number of names and list elements together. The largest payment has 1000 products, which are 1000
 * elements with up to 5000 names in total.
 */
export const MOST_VALUES = 8_000
/** The maximum number of nested levels below the body itself. */
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
    throw new Refusal('99997', `the body has more than ${MOST_VALUES} names and list elements`)
  if (depth > MAX_DEPTH) throw new Refusal('99997', `the body is nested deeper than ${MAX_DEPTH} levels`)
}

/**
 * True if the body is certainly within the limits. Each element takes at least two bytes, and each level needs a
 * bracket. For an ordinary payment, the search for brackets takes 0.5 µs, and the full pass takes 3 µs.
 */
function isSurelySmall(bytes: Buffer): boolean {
  return bytes.length <= MOST_VALUES * 2 && countUpTo(MAX_DEPTH + 1, LIST, OBJECT, bytes) <= MAX_DEPTH + 1
}

function countUpTo(most: number, one: number, other: number, bytes: Buffer): number {
  let count = 0
  for (const byte of [one, other])
    for (let at = bytes.indexOf(byte); at >= 0 && count <= most; at = bytes.indexOf(byte, at + 1)) count++
  return count
}

type Shape = {
  readonly values: number
  readonly depth: number
}

/** Counts the names and list elements of all levels, and measures the depth. Stops as soon as a limit is exceeded. */
export function shapeOf(bytes: Buffer): Shape {
  /** An entry for each open level: 1 for a list, 0 for an object. */
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

function isEmptyList(bytes: Buffer, end: number): boolean {
  let at = end - 1
  while ((bytes[at] ?? LIST) <= SPACE) at--
  return bytes[at] === LIST
}

const NAME = Buffer.from('"merNo"')
const VALUE = /^\s*:\s*"?(\d{1,10})["\s,}]/
const VALUE_BYTES = 32

/**
 * Returns the merchant number in a body without parsing the body. The number is only a claim until the signature proves
 * it.
 */
export function claimedMerNo(body: Buffer): number | undefined {
  const at = body.indexOf(NAME)
  if (at < 0) return undefined
  const start = at + NAME.length
  const [, digits] = VALUE.exec(body.toString('latin1', start, start + VALUE_BYTES)) ?? []
  return digits === undefined ? undefined : Number(digits)
}
