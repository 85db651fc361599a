// An id contains its merchant number, and ids of a kind sort by time. The 27 characters of an id are one letter for the
// kind, nine characters for the milliseconds, seven for the merchant number, and ten at random.
// See docs/decisions/0009-ids-and-references.md.
import { randomBytes } from 'node:crypto'

/** Crockford's base 32. Texts of the same length sort like their numbers. I, L, O and U are missing. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const TIME_LENGTH = 9
const MERCHANT_LENGTH = 7
const RANDOM_LENGTH = 10
const TIME_AT = 1
const MERCHANT_AT = TIME_AT + TIME_LENGTH
const RANDOM_AT = MERCHANT_AT + MERCHANT_LENGTH
const ID_LENGTH = RANDOM_AT + RANDOM_LENGTH

/** The first letter of an id, which stands for its kind. */
export type IdKind =
  | 'T' // trade
  | 'R' // refund
  | 'A' // attempt
  | 'N' // notification
  | 'C' // chargeback
  | 'E' // evidence
  | 'F' // file
  | 'D' // delta of totals or balances
  | 'S' // suspense
  | 'L' // line of the audit log
  | 'U' // user
  | 'M' // mail
  | 'X' // operator's run
  | 'Q' // approval
  | 'K' // correcting entry
  | 'Y' // saved beneficiary
  | 'W' // payout run
  | 'V' // saved view
  | 'B' // export
  | 'H' // export schedule
  | 'G' // bulk refund
  | 'P' // payment link
  | 'I' // imported statement of a channel
  | 'O' // line of a channel's statement
  | 'J' // risk rule
  | 'Z' // entry of a risk list

export function makeId(kind: IdKind, merNo: number, at: Date): string {
  putKindAndTime(kind, at)
  put(merNo, MERCHANT_AT, MERCHANT_LENGTH)
  putRandom()
  return buffer.toString('latin1')
}

// Every id is written into this buffer. A concatenation of parts would be a rope string in V8, which is slower to use
// later.
const buffer = Buffer.alloc(ID_LENGTH)
let timeInBufferMs = -1

/** Writes the kind into the buffer. Writes the time only if it has changed since the last id. */
function putKindAndTime(kind: IdKind, at: Date): void {
  buffer[0] = kind.charCodeAt(0)
  const ms = at.getTime()
  if (ms !== timeInBufferMs) put(ms, TIME_AT, TIME_LENGTH)
  timeInBufferMs = ms
}

function put(value: number, at: number, length: number): void {
  let rest = value
  for (let place = at + length - 1; place >= at; place--) {
    const higher = Math.floor(rest / 32)
    buffer[place] = alphabet.charCodeAt(rest - 32 * higher)
    rest = higher
  }
}

/**
 * Returns a lower bound for ids: all ids of this kind that are made from this time on sort after the returned prefix.
 */
export function idsFrom(kind: IdKind, at: Date): string {
  putKindAndTime(kind, at)
  return buffer.toString('latin1', 0, MERCHANT_AT)
}

/**
 * The merchant number in an id. Undefined if the length is wrong, or if the number has characters outside the alphabet.
 */
export function merNoOf(id: string): number | undefined {
  if (id.length !== ID_LENGTH) return undefined
  let merNo = 0
  for (const character of id.slice(MERCHANT_AT, RANDOM_AT)) {
    const digit = alphabet.indexOf(character)
    if (digit < 0) return undefined
    merNo = merNo * 32 + digit
  }
  return merNo
}

export function timeOf(id: string): Date {
  let ms = 0
  for (const character of id.slice(TIME_AT, MERCHANT_AT)) ms = ms * 32 + alphabet.indexOf(character)
  return new Date(ms)
}

// Random bytes are drawn for many ids at once, because the system call costs more than the bytes.
const POOL_BYTES = 4096
let pool = Buffer.alloc(0)
let used = 0

function putRandom(): void {
  if (used + RANDOM_LENGTH > pool.length) {
    pool = randomBytes(POOL_BYTES)
    used = 0
  }
  for (let place = RANDOM_AT; place < ID_LENGTH; place++)
    buffer[place] = alphabet.charCodeAt(pool.readUInt8(used++) & 31)
}
