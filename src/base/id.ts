// Ids are made by the program, in order of time, and each alone tells its merchant: one letter for the kind,
// nine characters of milliseconds, seven of merchant number, ten of chance. 27 letters and digits in all.
import { randomBytes } from 'node:crypto'

/** Crockford's base 32: sorts as it counts, and no letter looks like a digit. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const TIME_LENGTH = 9
const MERCHANT_LENGTH = 7
const CHANCE_LENGTH = 10
const ID_LENGTH = 1 + TIME_LENGTH + MERCHANT_LENGTH + CHANCE_LENGTH

/** T trade, R refund, A attempt, N notification, C chargeback, E evidence, F file, D delta of totals or balances, S suspense. */
export type IdKind = 'T' | 'R' | 'A' | 'N' | 'C' | 'E' | 'F' | 'D' | 'S'

export function makeId(kind: IdKind, merNo: number, at: Date): string {
  return kind + encodeTime(at.getTime()) + encode(merNo, MERCHANT_LENGTH) + chance()
}

let lastMs = 0
let lastTime = encode(0, TIME_LENGTH)

/** Those of one moment begin alike. */
function encodeTime(ms: number): string {
  if (ms !== lastMs) {
    lastTime = encode(ms, TIME_LENGTH)
    lastMs = ms
  }
  return lastTime
}

/** Ids of this kind that are made at that time or later are greater. */
export function idsFrom(kind: IdKind, at: Date): string {
  return kind + encode(at.getTime(), TIME_LENGTH)
}

/** The merchant an id belongs to; undefined when it cannot be an id of ours. */
export function merNoOf(id: string): number | undefined {
  if (id.length !== ID_LENGTH) return undefined
  let merNo = 0
  for (const character of id.slice(1 + TIME_LENGTH, 1 + TIME_LENGTH + MERCHANT_LENGTH)) {
    const digit = alphabet.indexOf(character)
    if (digit < 0) return undefined
    merNo = merNo * 32 + digit
  }
  return merNo
}

function encode(value: number, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest = Math.floor(rest / 32)) text = alphabet[rest % 32] + text
  return text
}

// One draw of the system's randomness serves many ids: the call costs more than the bytes. No byte serves two.
const POOL_BYTES = 4096
let pool = Buffer.alloc(0)
let used = 0

function chance(): string {
  if (used + CHANCE_LENGTH > pool.length) {
    pool = randomBytes(POOL_BYTES)
    used = 0
  }
  let text = ''
  for (const end = used + CHANCE_LENGTH; used < end; used++)
    text += alphabet.charAt(pool.readUInt8(used) & 31)
  return text
}
