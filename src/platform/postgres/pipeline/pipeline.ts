// Sends the statements of `Db.atOnce` in one packet, instead of a round trip for each statement, begin and commit.
// PostgreSQL treats all messages before a Sync as one transaction, commits at the Sync, and skips the rest after a
// failure. The plain implementation is in ../db.ts. docs/performance.md, "What each fast path saves", says how much
// time is saved.
import pg from 'pg'
import { List, parameterText } from '../lists.ts'
import { Packet, putArray } from './binary-array.ts'

type Sent = { readonly name?: string; readonly text: string; readonly values?: readonly unknown[] }

/**
 * Sends the statements as one transaction. If a statement fails, nothing is written, and the error of the first failed
 * statement is thrown.
 */
export function sendPipeline(client: pg.ClientBase, statements: readonly Sent[]): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(new Pipeline(statements, (error) => (error === undefined ? resolve() : reject(error))))
  })
}

/** The statements that this file has prepared on a connection, and the connection's buffer. */
type State = { readonly prepared: Set<string>; packet: Packet }

const states = new WeakMap<pg.Connection, State>()

function stateOf(connection: pg.Connection): State {
  const state = states.get(connection) ?? { prepared: new Set(), packet: new Packet() }
  states.set(connection, state)
  // After a failure, a part of the last packet may still be unsent, and must not be overwritten.
  if (connection.stream.writableLength > 0) state.packet = new Packet()
  state.packet.end = 0
  return state
}

/** The library calls `submit` to send the packet, and passes the server's messages to the handlers. */
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

  /** Sends the packet. If a value cannot be encoded, returns an error before anything is sent, and the query fails. */
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
    // The prefix is needed because the library prepares statements under the same names on this connection.
    const statement = name === undefined ? '' : `pipeline:${name}`
    if (!this.#prepared.has(statement)) this.#putParse(packet, statement, text)
    putBind(packet, statement, values)
    putExecute(packet)
  }

  /** The name is closed first, because it may exist on the server after an earlier failure. */
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

// Messages of PostgreSQL's extended protocol: a letter, the size and the parts.
// https://www.postgresql.org/docs/current/protocol-message-formats.html

/** Drops a prepared statement. PostgreSQL accepts an unknown name. */
export function putClose(packet: Packet, name: string): void {
  const place = begin(packet, 'C')
  packet.putText('S')
  putName(packet, name)
  packet.putSizeOfAll(place)
}

/** The server infers the types of the parameters. */
export function putParse(packet: Packet, name: string, text: string): void {
  const place = begin(packet, 'P')
  putName(packet, name)
  putName(packet, text)
  packet.putInt2(0)
  packet.putSizeOfAll(place)
}

/** Binds to the unnamed portal. Results are in text format. */
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

/** Requests all rows. */
export function putExecute(packet: Packet): void {
  const place = begin(packet, 'E')
  putName(packet, '')
  packet.putInt4(0)
  packet.putSizeOfAll(place)
}

export function putSync(packet: Packet): void {
  packet.putSizeOfAll(begin(packet, 'S'))
}

/** Returns the position of the message's size. */
function begin(packet: Packet, letter: string): number {
  packet.putText(letter)
  return packet.skipSize()
}

function putName(packet: Packet, name: string): void {
  packet.putText(name)
  packet.putByte(0)
}
