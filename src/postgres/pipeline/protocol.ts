// The messages of PostgreSQL's extended protocol that a prepared statement needs, as they go over the wire: a letter, the
// size, the parts. https://www.postgresql.org/docs/current/protocol-message-formats.html
import { List } from '../lists.ts'
import type { Packet } from './packet.ts'

/** Forgets a statement; one that is not there is no failure. */
export function putClose(packet: Packet, name: string): void {
  const place = begin(packet, 'C')
  packet.putText('S')
  putName(packet, name)
  packet.putSizeOfAll(place)
}

/** The types of its parameters are left to the server. */
export function putParse(packet: Packet, name: string, text: string): void {
  const place = begin(packet, 'P')
  putName(packet, name)
  putName(packet, text)
  packet.putInt2(0)
  packet.putSizeOfAll(place)
}

/** To the portal without a name; what it answers comes as text. */
export function putBind(packet: Packet, statement: string, values: readonly unknown[]): void {
  const place = begin(packet, 'B')
  putName(packet, '')
  putName(packet, statement)
  packet.putInt2(values.length)
  for (const value of values) packet.putInt2(isBinary(value) ? 1 : 0)
  packet.putInt2(values.length)
  for (const value of values) putValue(packet, value)
  packet.putInt2(0)
  packet.putSizeOfAll(place)
}

function isBinary(value: unknown): boolean {
  return value instanceof List || Buffer.isBuffer(value)
}

function putValue(packet: Packet, value: unknown): void {
  const place = packet.skipSize()
  if (value instanceof List) value.putInto(packet)
  else if (Buffer.isBuffer(value)) packet.putBytes(value)
  else packet.putText(toText(value))
  packet.putSize(place)
}

/** Whatever else has no one text: null would be stored as a word. Lists write their nulls themselves. */
function toText(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
    return String(value)
  throw new TypeError(`a parameter must be a text, a number or a boolean, not ${describe(value)}`)
}

function describe(value: unknown): string {
  return value === null ? 'null' : typeof value
}

/** All of its rows. */
export function putExecute(packet: Packet): void {
  const place = begin(packet, 'E')
  putName(packet, '')
  packet.putInt4(0)
  packet.putSizeOfAll(place)
}

export function putSync(packet: Packet): void {
  packet.putSizeOfAll(begin(packet, 'S'))
}

/** The place of the size. */
function begin(packet: Packet, letter: string): number {
  packet.putText(letter)
  return packet.skipSize()
}

function putName(packet: Packet, name: string): void {
  packet.putText(name)
  packet.putByte(0)
}
