// Receives PostgreSQL's notifications (LISTEN and NOTIFY).
import pg from 'pg'
import { cut, ignoreErrors, keepAlive } from './silent-connections.ts'

/** Listens on all channels by one connection of its own, which is opened again when it breaks. */
export class Listeners {
  readonly #config: pg.ClientConfig
  readonly #receivers = new Map<string, (payload: string) => void>()
  #client: Promise<pg.Client> | undefined
  #latest: pg.Client | undefined
  #closed = false

  constructor(config: pg.ClientConfig) {
    this.#config = { ...config, ...keepAlive }
  }

  async add(channel: string, receive: (payload: string) => void): Promise<void> {
    this.#receivers.set(channel, receive)
    this.#client ??= this.#connect()
    const client = await this.#client
    await client.query(`listen ${pg.escapeIdentifier(channel)}`)
  }

  /** Opens the connection again. Called if the connection's server may have vanished. */
  reconnect(): void {
    if (this.#latest !== undefined) cut(this.#latest)
  }

  async close(): Promise<void> {
    this.#closed = true
    const client = await this.#client?.catch(() => undefined)
    await client?.end()
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client(this.#config)
    this.#latest = client
    ignoreErrors(client)
    client.on('notification', (message) => this.#receivers.get(message.channel)?.(message.payload ?? ''))
    try {
      await client.connect()
      for (const channel of this.#receivers.keys())
        await client.query(`listen ${pg.escapeIdentifier(channel)}`)
    } catch (error) {
      // A standby accepts connections but refuses `listen`. The next attempt opens another connection.
      cut(client)
      throw error
    }
    // A server that stops causes two errors: its message, and the end of the connection. One reconnect is enough.
    client.once('error', () => this.#again())
    return client
  }

  #again(): void {
    const retry = () => {
      if (this.#closed) return
      const next = this.#connect()
      this.#client = next
      next.then(
        () => {
          // Notifications may have been missed during the reconnect, so every receiver must refresh.
          for (const receive of this.#receivers.values()) receive('')
        },
        () => setTimeout(retry, 1000).unref(),
      )
    }
    setTimeout(retry, 200).unref()
  }
}
