// `Db.atOnce` in one packet. PostgreSQL takes all that precedes a Sync for one transaction: it commits there, and skips what
// follows the first failure. One write and one answer replace a round trip for each statement, for begin and for commit.
//
// The plain way is a transaction through the library, in ../db.ts. What this saves: docs/performance.md, "What each fast
// path saves". A connection keeps the buffer that its packets are put together in.
import pg from 'pg'
import { Packet } from './packet.ts'
import { putBind, putClose, putExecute, putParse, putSync } from './protocol.ts'

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
