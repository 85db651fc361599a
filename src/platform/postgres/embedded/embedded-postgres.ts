// Gateways and commands that use the same data folder share one PostgreSQL server, with fsync on. Invariant: each
// process that uses the server holds a shared advisory lock on its own connection. A process that closes tries to get
// the lock exclusively. Only the last process succeeds, and stops the server. A killed process loses its lock without
// stopping the server, so the next process uses that server.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Cluster, openCluster, superuser } from './cluster.ts'
import { readIfThere } from './files.ts'
import {
  findServer,
  logFile,
  port,
  type StartedServer,
  socketDirOf,
  startServer,
  stopServer,
} from './server.ts'

export type EmbeddedPostgres = {
  /** The options that `pg` needs to connect. The host is the socket folder. */
  readonly connection: {
    readonly host: string
    readonly port: number
    readonly user: string
    readonly database: string
  }
  /** Stops using the server. The last process that uses the server stops it. */
  close(): Promise<void>
}

type Say = (line: string) => void

const database = 'tollgate'
const useLock = 0x746f6c6c // The bytes of 'toll'. The database `postgres` has no other advisory locks.
const startTimeoutMs = 60_000
const stopTimeoutMs = 60_000
const maxFailedStarts = 5

/** Holds the shared lock. If its connection breaks, the lock is taken again and the server started if necessary. */
export async function openEmbeddedPostgres(options: {
  dataDir: string
  say: Say
}): Promise<EmbeddedPostgres> {
  const { dataDir, say } = options
  const cluster = await openCluster(dataDir, say)
  let client: pg.Client | undefined
  let rejoining: Promise<void> | undefined
  let leaving: Promise<void> | undefined

  async function join(): Promise<pg.Client> {
    const entered = await enter(cluster, say)
    entered.once('end', () => {
      if (leaving === undefined) rejoining = rejoin()
    })
    client = entered
    return entered
  }

  /** Takes the lock again. Without the lock, a command that ends would stop the server of a running gateway. */
  async function rejoin(): Promise<void> {
    say('The database server went away; joining it again …')
    while (leaving === undefined) {
      try {
        await join()
        return
      } catch (error) {
        say(error instanceof Error ? error.message : String(error))
        await sleep(1000)
      }
    }
  }

  async function leaveServer(): Promise<void> {
    await rejoining
    try {
      if (client !== undefined) await leave(client, cluster, say)
    } catch {
      // The connection has just broken. A server that still runs must be stopped properly.
      if (findServer(cluster) === undefined) return
      await leave(await enter(cluster, say), cluster, say)
    }
  }

  const { host } = await join()
  return {
    connection: { host, port, user: superuser, database },
    close() {
      leaving ??= leaveServer()
      return leaving
    },
  }
}

/** Opens a connection with the shared lock. Retries while a server recovers or stops, and starts one if none runs. */
async function enter(cluster: Cluster, say: Say): Promise<pg.Client> {
  const begunAt = Date.now()
  let started: StartedServer | undefined
  let failedStarts = 0
  let said = false
  for (;;) {
    const entered = await tryToEnter(cluster)
    if (entered instanceof pg.Client) return entered

    if (findServer(cluster) !== undefined) failedStarts = 0
    else if (started === undefined) started = await startServer(cluster)
    else if (started.ended !== undefined) {
      failedStarts += 1
      if (failedStarts === maxFailedStarts) throw new Error(whyNotStarted(cluster, started.ended))
      await sleep(50 * 2 ** failedStarts) // The child processes of a killed server may take a moment to end.
      started = await startServer(cluster)
    }

    const waitedMs = Date.now() - begunAt
    if (waitedMs > startTimeoutMs) throw new Error(whyNotStarted(cluster, entered.message))
    if (waitedMs > 1000 && !said) say('Waiting for the database server to start …')
    said ||= waitedMs > 1000
    await sleep(50)
  }
}

async function tryToEnter(cluster: Cluster): Promise<pg.Client | Error> {
  const client = new pg.Client({
    host: socketDirOf(cluster),
    port,
    user: superuser,
    database: 'postgres',
    ssl: false,
    connectionTimeoutMillis: 5000,
    lock_timeout: 5000, // Only a process that is stopping the server holds the lock exclusively.
    application_name: 'tollgate lock',
  })
  client.on('error', () => {}) // The event 'end' follows and is handled.
  try {
    await client.connect()
    await client.query('select pg_advisory_lock_shared($1)', [useLock])
    await createDatabase(client)
    return client
  } catch (error) {
    void client.end()
    return error instanceof Error ? error : new Error(String(error))
  }
}

async function createDatabase(client: pg.Client): Promise<void> {
  const found = await client.query('select from pg_database where datname = $1', [database])
  if (found.rowCount !== 0) return
  // Errors may quote a parameter or a whole row. Errors are therefore kept out of the server's log, and go only to the
  // gateway, which masks them. The server's own messages have the level `log`, which is above errors.
  await client.query(`alter role ${superuser} set log_min_messages = 'log'`)
  try {
    await client.query(`create database ${pg.escapeIdentifier(database)} encoding 'UTF8'`)
  } catch (error) {
    const anotherWasQuicker = ['42P04', '23505']
    if (!(error instanceof pg.DatabaseError && anotherWasQuicker.includes(error.code ?? ''))) throw error
  }
}

async function leave(client: pg.Client, cluster: Cluster, say: Say): Promise<void> {
  await client.query('select pg_advisory_unlock_shared($1)', [useLock])
  const { rows } = await client.query<{ alone: boolean }>('select pg_try_advisory_lock($1) as alone', [
    useLock,
  ])
  const stopped = rows[0]?.alone !== true || (await stopServer(cluster, stopTimeoutMs))
  if (!stopped) say('The database server is still writing; it stops by itself when it is done.')
  await client.end()
}

function whyNotStarted(cluster: Cluster, reason: string): string {
  const lines = readIfThere(logFile(cluster))?.trimEnd().split('\n').slice(-12).join('\n')
  return `The embedded PostgreSQL in ${cluster.dir} did not start: ${reason}.
The last lines of ${logFile(cluster)}:\n${lines ?? '(it has none)'}
Fix what they report and start again. If the server is only slow to recover, it continues in the background.`
}
