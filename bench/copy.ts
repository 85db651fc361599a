// COPY through `pg`, which passes the protocol's messages to the active query object.
import { once } from 'node:events'
import pg from 'pg'

const CHUNK_BYTES = 256 * 1024
const DATA = 0x64 // 'd'
const DONE = Buffer.from([0x63, 0, 0, 0, 4]) // 'c', and its own length

/** Copies the lines, each with its line end, into the table, and waits until the server has them all. */
export async function copyIn(client: pg.Client, table: string, lines: Iterable<string>): Promise<void> {
  const copy = new Copy(`copy ${pg.escapeIdentifier(table)} from stdin`, (connection) =>
    sendLines(connection, lines),
  )
  client.query(copy)
  await copy.done
}

/** The rows as COPY writes them, with tabs between columns. */
export async function copyOut(client: pg.Client, query: string): Promise<string[]> {
  const copy = new Copy(`copy (${query}) to stdout`)
  client.query(copy)
  await copy.done
  return copy.received.map((line) => line.replace(/\n$/, ''))
}

async function sendLines({ stream }: pg.Connection, lines: Iterable<string>): Promise<void> {
  const write = async (text: string) => {
    const head = Buffer.alloc(5)
    head[0] = DATA
    const bytes = Buffer.from(text)
    head.writeInt32BE(bytes.length + 4, 1)
    stream.write(head)
    if (!stream.write(bytes)) await once(stream, 'drain')
  }
  let chunk = ''
  for (const line of lines) {
    chunk += line
    if (chunk.length < CHUNK_BYTES) continue
    await write(chunk)
    chunk = ''
  }
  if (chunk !== '') await write(chunk)
  stream.write(DONE)
}

class Copy implements pg.Submittable {
  readonly done: Promise<void>
  readonly received: string[] = []
  readonly #text: string
  readonly #send: ((connection: pg.Connection) => Promise<void>) | undefined
  #settle: { resolve: () => void; reject: (error: Error) => void } = { resolve() {}, reject() {} }
  #error: Error | undefined

  constructor(text: string, send?: (connection: pg.Connection) => Promise<void>) {
    this.#text = text
    this.#send = send
    this.done = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
    })
  }

  submit(connection: pg.Connection): void {
    connection.query(this.#text)
  }

  handleCopyInResponse(connection: pg.Connection): void {
    this.#send?.(connection).catch((error: Error) => this.#settle.reject(error))
  }

  handleCopyData(message: { readonly chunk: Buffer }): void {
    this.received.push(message.chunk.toString('utf8'))
  }

  handleCommandComplete(): void {}

  handleError(error: Error): void {
    this.#error = error
  }

  handleReadyForQuery(): void {
    if (this.#error === undefined) this.#settle.resolve()
    else this.#settle.reject(this.#error)
  }
}
