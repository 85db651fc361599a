// Statements that need nothing of each other's answers, in one write and one answer. What stands before a Sync is one
// transaction to PostgreSQL: it commits there, and passes over all that follows the first failure. A Sync for each
// statement, and a begin and a commit around them, would wake both sides for each of them.
//
// All messages are put together in room that the connection keeps: the library makes a buffer for each, which grows and is
// copied with every parameter.
import pg from 'pg'
import { Packet } from './packet.ts'
import { putBind, putClose, putExecute, putParse, putSync } from './protocol.ts'

type Sent = { readonly name?: string; readonly text: string; readonly values?: readonly unknown[] }

/** Thrown is what the first one that failed told; nothing was written then. */
export function sendInOneGo(client: pg.ClientBase, statements: readonly Sent[]): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(new OneGo(statements, (error) => (error === undefined ? resolve() : reject(error))))
  })
}

/** What a connection has prepared this way, and the room for what it sends. */
type Line = { readonly prepared: Set<string>; packet: Packet }

const lines = new WeakMap<pg.Connection, Line>()

function lineOf(connection: pg.Connection): Line {
  const line = lines.get(connection) ?? { prepared: new Set(), packet: new Packet() }
  lines.set(connection, line)
  // After a failure some of the last packet may not be sent yet: it must stay as it is.
  if (connection.stream.writableLength > 0) line.packet = new Packet()
  line.packet.end = 0
  return line
}

/** The library asks it to write itself, and tells it what the server answers. Rows are of no interest. */
class OneGo extends pg.Query {
  readonly #statements: readonly Sent[]
  readonly #done: (error: Error | undefined) => void
  #prepared = new Set<string>()
  #fresh: string[] = []

  constructor(statements: readonly Sent[], done: (error: Error | undefined) => void) {
    super('')
    this.#statements = statements
    this.#done = done
  }

  /** What cannot be written is told by the library as a failure, and nothing is sent. */
  override submit = (connection: pg.Connection): Error | undefined => {
    const { prepared, packet } = lineOf(connection)
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
    // The library's own statements have names of their own on this connection.
    const statement = name === undefined ? '' : `${name} in one go`
    if (!this.#prepared.has(statement)) this.#putParse(packet, statement, text)
    putBind(packet, statement, values)
    putExecute(packet)
  }

  /** Closed first: a failure may have left it there or not. */
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
