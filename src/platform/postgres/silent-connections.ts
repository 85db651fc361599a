// Finds dead connections that cause no error. If the server's host vanishes, or a firewall forgets a connection, a
// statement would wait about 15 minutes for the kernel, and the pool would stay full although new connections work.
//
// - TCP keep-alive (`keepAlive`) finds dead connections that are idle.
// - A connection in use for `SUSPECT_AFTER_MS` may be dead. A new connection then asks the server for its backends. A
//   connection whose backend is gone or idle is dead. If two checks in a row reach no server, every suspect is dead. A
//   long statement goes on, because its backend is at work.
// - Dead connections are cut. Their callers get the error of a lost connection, with the outage of outages.ts. Idle
//   connections are cut as well, because they probably lead to the same server.
//
// Statements have no timers: the start of each use is noted, and one timer checks all connections.
import pg from 'pg'
import { firstOf } from '../base/thrown.ts'

const LOOK_EVERY_MS = 5_000
const SUSPECT_AFTER_MS = 5_000
const ANSWER_WITHIN_MS = 10_000

export const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 }

type Watched = {
  /** The backend's process id and start time. Undefined while the connection is being set up. */
  backend: string | undefined
  /** The time since which the connection is in use. Undefined while the connection is idle. */
  usedSinceMs: number | undefined
}

export class ConnectionWatch {
  readonly #config: pg.ClientConfig
  readonly #found: () => void
  readonly #connections = new Map<pg.ClientBase, Watched>()
  readonly #timer: NodeJS.Timeout
  #isLooking = false
  /** The number of consecutive checks that could not reach a server. */
  #unreached = 0

  /** `found` is called whenever dead connections were cut. */
  constructor(config: pg.ClientConfig, found: () => void) {
    this.#config = { ...config, ...keepAlive }
    this.#found = found
    this.#timer = setInterval(() => void this.#look(), LOOK_EVERY_MS)
    this.#timer.unref()
  }

  /** Watches all connections of a pool. `setUp` prepares each new connection. */
  openPool(options: pg.PoolConfig, setUp: (client: pg.ClientBase) => Promise<void>): pg.Pool {
    const pool = new pg.Pool({ ...options, ...keepAlive, onConnect: (client) => this.#opened(client, setUp) })
    pool.on('acquire', (client) => this.#setUsed(client, performance.now()))
    pool.on('release', (_error, client) => this.#setUsed(client, undefined))
    // The error needs no action: the pool replaces an idle connection that breaks.
    pool.on('error', () => {})
    return pool
  }

  close(): void {
    clearInterval(this.#timer)
  }

  async #opened(client: pg.ClientBase, setUp: (client: pg.ClientBase) => Promise<void>): Promise<void> {
    ignoreErrors(client)
    const watched: Watched = { backend: undefined, usedSinceMs: performance.now() }
    this.#connections.set(client, watched)
    client.on('end', () => this.#connections.delete(client))
    await setUp(client)
    const { rows } = await client.query(`${backends} where pid = pg_backend_pid()`)
    watched.backend = rows[0]?.backend
  }

  #setUsed(client: pg.ClientBase, sinceMs: number | undefined): void {
    const watched = this.#connections.get(client)
    if (watched !== undefined) watched.usedSinceMs = sinceMs
  }

  async #look(): Promise<void> {
    const until = performance.now() - SUSPECT_AFTER_MS
    const suspects = [...this.#connections]
      .map(([client, watched]) => ({ client, watched, sinceMs: watched.usedSinceMs }))
      // A connection that is being set up has no backend yet. The pool bounds the time for setting it up.
      .filter(
        ({ watched, sinceMs }) => watched.backend !== undefined && sinceMs !== undefined && sinceMs <= until,
      )
    if (this.#isLooking || suspects.length === 0) return
    this.#isLooking = true
    const atWork = await backendsAtWork(this.#config)
    this.#isLooking = false
    this.#unreached = atWork === 'no server' ? this.#unreached + 1 : 0
    if (atWork === undefined || this.#unreached === 1) return
    const dead = suspects.filter(({ watched, sinceMs }) => {
      return watched.usedSinceMs === sinceMs && (atWork === 'no server' || !atWork.has(watched.backend))
    })
    if (dead.length === 0) return
    for (const { client } of dead) cut(client)
    for (const [client, { usedSinceMs }] of this.#connections) if (usedSinceMs === undefined) cut(client)
    this.#found()
  }
}

/** The server's backends, with their start times: process ids are reused, also by another server. */
const backends = `select concat(pid, ' ', extract(epoch from backend_start)) as backend from pg_stat_activity`

/** The errors that mean that no server is at the address, or that the host is silent. */
const NO_SERVER =
  /^(ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ETIMEDOUT)$|connection timeout|timeout expired/

/** Returns the backends at work. Undefined if they are unknown, for example if the server has too many connections. */
async function backendsAtWork(
  config: pg.ClientConfig,
): Promise<ReadonlySet<unknown> | 'no server' | undefined> {
  const limits = { connectionTimeoutMillis: ANSWER_WITHIN_MS, query_timeout: ANSWER_WITHIN_MS }
  const client = new pg.Client({ ...config, ...limits })
  ignoreErrors(client)
  let isConnected = false
  try {
    await client.connect()
    isConnected = true
    const { rows } = await client.query(`${backends} where state <> 'idle'`)
    return new Set(rows.map(({ backend }) => backend))
  } catch (error) {
    return !isConnected && NO_SERVER.test(reasonOf(error)) ? 'no server' : undefined
  } finally {
    client.end().catch(() => {})
  }
}

function reasonOf(error: unknown): string {
  const one = firstOf(error)
  if (!(one instanceof Error)) return ''
  return 'code' in one && typeof one.code === 'string' ? one.code : one.message
}

/** Destroys the connection without a message to the server. The connection's statements fail. */
export function cut(client: pg.ClientBase): void {
  if ('connection' in client && client.connection instanceof pg.Connection) client.connection.stream.destroy()
}

/**
 * Ignores the errors that a connection emits. An emitted error without a listener would end the process. The statements
 * of a lost connection fail in any case.
 */
export function ignoreErrors(client: pg.ClientBase): void {
  client.on('error', () => {})
}
