// Open connections by origin. The connection that became free last is reused first; one that was idle too long is
// closed.
import { Connection, type ConnectPlan } from './connection.ts'

const SWEEP_MS = 500

export type PoolOptions = {
  readonly idleMs: number
  /** Idle connections per origin. */
  readonly mostIdle: number
  readonly freed?: (origin: string) => void
  readonly closed?: (origin: string) => void
}

export class ConnectionPool {
  readonly #options: PoolOptions
  readonly #idle = new Map<string, Connection[]>()
  readonly #open = new Set<Connection>()
  readonly #owner = {
    free: (connection: Connection) => this.#keep(connection),
    closed: (connection: Connection) => this.#closed(connection),
  }
  #sweeping: NodeJS.Timeout | undefined

  constructor(options: PoolOptions) {
    this.#options = options
  }

  takeIdle(origin: string): Connection | undefined {
    const list = this.#idle.get(origin)
    for (let one = list?.pop(); one !== undefined; one = list?.pop()) {
      if (one.isUsable && one.keptUntilMs >= performance.now()) return one
      one.destroy()
    }
    return undefined
  }

  open(origin: string, plan: ConnectPlan): Connection {
    const connection = new Connection(plan, origin, this.#owner)
    this.#open.add(connection)
    return connection
  }

  close(): void {
    clearInterval(this.#sweeping)
    for (const connection of this.#open) connection.destroy()
  }

  #keep(connection: Connection): void {
    const { origin } = connection
    const list = this.#idle.get(origin) ?? []
    if (list.length >= this.#options.mostIdle) {
      connection.destroy()
      return
    }
    this.#idle.set(origin, list)
    connection.keptUntilMs = Math.min(connection.keptUntilMs, performance.now() + this.#options.idleMs)
    list.push(connection)
    this.#sweeping ??= setInterval(() => this.#sweep(), SWEEP_MS).unref()
    this.#options.freed?.(origin)
  }

  #closed(connection: Connection): void {
    if (!this.#open.delete(connection)) return
    const { origin } = connection
    const list = this.#idle.get(origin)
    const at = list?.indexOf(connection) ?? -1
    if (at >= 0) list?.splice(at, 1)
    if (list?.length === 0) this.#idle.delete(origin)
    this.#options.closed?.(origin)
  }

  #sweep(): void {
    const now = performance.now()
    for (const list of this.#idle.values())
      for (const one of [...list]) if (one.keptUntilMs < now) one.destroy()
    if (this.#idle.size > 0) return
    clearInterval(this.#sweeping)
    this.#sweeping = undefined
  }
}
