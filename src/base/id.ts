// Ids are made by the program, in order of time, and each alone tells its merchant: one letter for the kind,
// nine characters of milliseconds, seven of merchant number, ten of chance. 27 letters and digits in all.
import { randomBytes } from 'node:crypto'

/** Crockford's base 32: sorts as it counts, and no letter looks like a digit. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const TIME_LENGTH = 9
const MERCHANT_LENGTH = 7
const CHANCE_LENGTH = 10
const TIME_AT = 1
const MERCHANT_AT = TIME_AT + TIME_LENGTH
const CHANCE_AT = MERCHANT_AT + MERCHANT_LENGTH
const ID_LENGTH = CHANCE_AT + CHANCE_LENGTH

/** T trade, R refund, A attempt, N notification, C chargeback, E evidence, F file, D delta of totals or balances, S suspense. */
export type IdKind = 'T' | 'R' | 'A' | 'N' | 'C' | 'E' | 'F' | 'D' | 'S'

export function makeId(kind: IdKind, merNo: number, at: Date): string {
  putKindAndTime(kind, at)
  put(merNo, MERCHANT_AT, MERCHANT_LENGTH)
  putChance()
  return room.toString('latin1')
}

// Written byte by byte and read once: to add the parts up would leave a text of many pieces behind.
const room = Buffer.alloc(ID_LENGTH)
let timeInRoomMs = -1

/** Those of one moment begin alike. */
function putKindAndTime(kind: IdKind, at: Date): void {
  room[0] = kind.charCodeAt(0)
  const ms = at.getTime()
  if (ms !== timeInRoomMs) put(ms, TIME_AT, TIME_LENGTH)
  timeInRoomMs = ms
}

function put(value: number, at: number, length: number): void {
  let rest = value
  for (let place = at + length - 1; place >= at; place--) {
    const higher = Math.floor(rest / 32)
    room[place] = alphabet.charCodeAt(rest - 32 * higher)
    rest = higher
  }
}

/** Ids of this kind that are made at that time or later are greater. */
export function idsFrom(kind: IdKind, at: Date): string {
  putKindAndTime(kind, at)
  return room.toString('latin1', 0, MERCHANT_AT)
}

/** The merchant an id belongs to; undefined when it cannot be an id of ours. */
export function merNoOf(id: string): number | undefined {
  if (id.length !== ID_LENGTH) return undefined
  let merNo = 0
  for (const character of id.slice(MERCHANT_AT, CHANCE_AT)) {
    const digit = alphabet.indexOf(character)
    if (digit < 0) return undefined
    merNo = merNo * 32 + digit
  }
  return merNo
}

/** When an id was made. */
export function timeOf(id: string): Date {
  let ms = 0
  for (const character of id.slice(TIME_AT, MERCHANT_AT)) ms = ms * 32 + alphabet.indexOf(character)
  return new Date(ms)
}

// One draw of the system's randomness serves many ids: the call costs more than the bytes. No byte serves two.
const POOL_BYTES = 4096
let pool = Buffer.alloc(0)
let used = 0

function putChance(): void {
  if (used + CHANCE_LENGTH > pool.length) {
    pool = randomBytes(POOL_BYTES)
    used = 0
  }
  for (let place = CHANCE_AT; place < ID_LENGTH; place++)
    room[place] = alphabet.charCodeAt(pool.readUInt8(used++) & 31)
}
