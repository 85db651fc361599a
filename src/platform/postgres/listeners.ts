// Receives PostgreSQL's notifications.
import pg from 'pg'

/** One separate connection for all channels. It reconnects when it breaks. */
export class Listeners {
  readonly #config: pg.ClientConfig
  readonly #lost: (error: Error) => void
  readonly #receivers = new Map<string, (payload: string) => void>()
  #client: Promise<pg.Client> | undefined
  #closed = false

  constructor(config: pg.ClientConfig, lost: (error: Error) => void) {
    this.#config = config
    this.#lost = lost
  }

  async add(channel: string, receive: (payload: string) => void): Promise<void> {
    this.#receivers.set(channel, receive)
    this.#client ??= this.#connect()
    const client = await this.#client
    await client.query(`listen ${pg.escapeIdentifier(channel)}`)
  }

  async close(): Promise<void> {
    this.#closed = true
    const client = await this.#client?.catch(() => undefined)
    await client?.end()
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client(this.#config)
    ignoreErrors(client)
    client.on('notification', (message) => this.#receivers.get(message.channel)?.(message.payload ?? ''))
    await client.connect()
    for (const channel of this.#receivers.keys()) await client.query(`listen ${pg.escapeIdentifier(channel)}`)
    // Once: a server that stops causes two errors, its message and the end of the connection, but needs one reconnect.
    client.once('error', (error) => this.#again(error))
    return client
  }

  #again(error: Error): void {
    if (this.#closed) return
    this.#lost(error)
    const retry = () => {
      if (this.#closed) return
      const next = this.#connect()
      this.#client = next
      next.then(
        () => {
          // Notifications may have been missed meanwhile, so every receiver must refresh.
          for (const receive of this.#receivers.values()) receive('')
        },
        () => setTimeout(retry, 1000).unref(),
      )
    }
    setTimeout(retry, 200).unref()
  }
}

/**
 * A lost connection fails its statements. The library also emits the error, sometimes before anyone uses the connection.
 * Without a listener that would end the process.
 */
export function ignoreErrors(client: pg.ClientBase): void {
  client.on('error', () => {})
}
