// `Db.atOnce` in one packet. PostgreSQL takes all that precedes a Sync for one transaction: it commits there, and skips what
// follows the first failure. One write and one answer replace a round trip for each statement, for begin and for commit.
//
// The plain way is a transaction through the library, in ../db.ts. What this saves: docs/performance.md, "What each fast
// path saves". A connection keeps the buffer that its packets are put together in.
import pg from 'pg'
import { List, parameterText } from '../lists.ts'
import { Packet, putArray } from './binary-array.ts'

type Sent = { readonly name?: string; readonly text: string; readonly values?: readonly unknown[] }

/** Throws the error of the first statement that failed; nothing was written then. */
export function sendPipeline(client: pg.ClientBase, statements: readonly Sent[]): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(new Pipeline(statements, (error) => (error === undefined ? resolve() : reject(error))))
  })
}

/** What a connection has prepared this way, and its buffer. */
type State = { readonly prepared: Set<string>; packet: Packet }

const states = new WeakMap<pg.Connection, State>()

function stateOf(connection: pg.Connection): State {
  const state = states.get(connection) ?? { prepared: new Set(), packet: new Packet() }
  states.set(connection, state)
  // After a failure some of the last packet may still wait to be sent: it must not be overwritten.
  if (connection.stream.writableLength > 0) state.packet = new Packet()
  state.packet.end = 0
  return state
}

/** The library calls `submit` to send it, and the handlers with what the server answers. Rows are ignored. */
class Pipeline extends pg.Query {
  readonly #statements: readonly Sent[]
  readonly #done: (error: Error | undefined) => void
  #prepared = new Set<string>()
  #fresh: string[] = []

  constructor(statements: readonly Sent[], done: (error: Error | undefined) => void) {
    super('')
    this.#statements = statements
    this.#done = done
  }

  /** An error that is returned fails the query, and nothing is sent. */
  override submit = (connection: pg.Connection): Error | undefined => {
    const { prepared, packet } = stateOf(connection)
    this.#prepared = prepared
    try {
      for (const statement of this.#statements) this.#put(packet, statement)
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    }
    putSync(packet)
    if (connection.stream.writable) connection.stream.write(packet.written())
    return undefined
  }

  #put(packet: Packet, { name, text, values = [] }: Sent): void {
    // The library prepares statements under the same names on this connection.
    const statement = name === undefined ? '' : `pipeline:${name}`
    if (!this.#prepared.has(statement)) this.#putParse(packet, statement, text)
    putBind(packet, statement, values)
    putExecute(packet)
  }

  /** Closed first: after a failure it may exist or not. */
  #putParse(packet: Packet, name: string, text: string): void {
    putClose(packet, name)
    putParse(packet, name, text)
    if (name !== '') this.#fresh.push(name)
  }

  handleReadyForQuery(): void {
    for (const name of this.#fresh) this.#prepared.add(name)
    this.#done(undefined)
  }

  handleError(error: Error): void {
    this.#done(error)
  }

  handleCommandComplete(): void {}
  handleDataRow(): void {}
}

// The messages of PostgreSQL's extended protocol that a prepared statement needs: a letter, the size, the parts.
// https://www.postgresql.org/docs/current/protocol-message-formats.html

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
