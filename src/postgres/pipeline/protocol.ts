// The messages of PostgreSQL's extended protocol that a prepared statement needs, as they go over the wire: a letter, the
// size, the parts. https://www.postgresql.org/docs/current/protocol-message-formats.html
import { List, parameterText } from '../lists.ts'
import { putArray } from './binary-array.ts'
import type { Packet } from './packet.ts'

/** Drops a prepared statement; one that does not exist is no error. */
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

/** To the unnamed portal; results come as text. */
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
  if (value instanceof List) putArray(packet, value)
  else if (Buffer.isBuffer(value)) packet.putBytes(value)
  else packet.putText(parameterText(value))
  packet.putSize(place)
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

/** Returns the place of the size. */
function begin(packet: Packet, letter: string): number {
  packet.putText(letter)
  return packet.skipSize()
}

function putName(packet: Packet, name: string): void {
  packet.putText(name)
  packet.putByte(0)
}
