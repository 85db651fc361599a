// Statements that need nothing of each other's answers, in one write and one answer. What stands before a Sync is one
// transaction to PostgreSQL: it commits there, and passes over all that follows the first failure. A Sync for each
// statement, and a begin and a commit around them, would wake both sides for each of them.
import pg from 'pg'

type Sent = { readonly name?: string; readonly text: string; readonly values?: readonly unknown[] }

/** Thrown is what the first one that failed told; nothing was written then. */
export function sendInOneGo(client: pg.ClientBase, statements: readonly Sent[]): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(new OneGo(statements, (error) => (error === undefined ? resolve() : reject(error))))
  })
}

/** What each connection has prepared this way. */
const preparedOn = new WeakMap<pg.Connection, Set<string>>()

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

  override submit = (connection: pg.Connection): void => {
    this.#prepared = preparedOn.get(connection) ?? new Set()
    preparedOn.set(connection, this.#prepared)
    connection.stream.cork()
    for (const statement of this.#statements) this.#write(connection, statement)
    connection.sync()
    connection.stream.uncork()
  }

  #write(connection: pg.Connection, { name, text, values = [] }: Sent): void {
    // The library's own statements have names of their own on this connection.
    const statement = name === undefined ? '' : `${name} in one go`
    if (!this.#prepared.has(statement)) this.#prepare(connection, statement, text)
    connection.bind({ statement, values: values.map(toParameter) }, true)
    connection.execute(null, true)
  }

  /** Closed first: a failure may have left it there or not. */
  #prepare(connection: pg.Connection, name: string, text: string): void {
    connection.close({ type: 'S', name }, true)
    connection.parse({ name, text, types: [] }, true)
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

function toParameter(value: unknown): Buffer | string {
  return Buffer.isBuffer(value) ? value : String(value)
}
