// The access to PostgreSQL for all code outside of this folder. A function with a Tx makes no other network call. A
// function that makes a network call takes no Tx.
import pg from 'pg'
import { Listeners } from './listeners.ts'
import { List, parameterText } from './lists.ts'
import { isConnectionError, noteFailure, noteOutage, outageOf } from './outages.ts'
import { arrayBytes } from './pipeline/binary-array.ts'
import { sendPipeline } from './pipeline/pipeline.ts'
import { ConnectionWatch } from './silent-connections.ts'

/** A pool or a transaction. Both run statements. */
export type Queryable = {
  query<Row extends pg.QueryResultRow>(statement: Statement): Promise<Row[]>
}

/** A statement with a name is prepared once per connection, so frequent statements have a name. */
export type Statement = {
  readonly name?: string
  readonly text: string
  readonly values?: readonly unknown[]
}

/**
 * A transaction. Its isolation level is read committed, unless the transaction sets another level. Only
 * `Db.transaction` creates a Tx.
 */
export type Tx = Queryable & { readonly inTransaction: true }

export type Db = {
  /** Runs one statement in a transaction of its own. */
  query<Row extends pg.QueryResultRow>(statement: Statement, options?: TransactionOptions): Promise<Row[]>
  transaction<Result>(work: (tx: Tx) => Promise<Result>, options?: TransactionOptions): Promise<Result>
  /**
   * Runs the statements in one transaction. No statement may need the result of another one. If a statement fails,
   * everything is rolled back, and the error of the first failed statement is thrown. A statement that selects `demand`
   * fails if the demanded condition is false.
   */
  atOnce(statements: readonly Statement[], options?: TransactionOptions): Promise<void>
  /** Calls back with the payload of every `notify`, and with '' after each reconnect. */
  listen(channel: string, receive: (payload: string) => void): Promise<void>
  /**
   * Calls back with the error of every call that fails because of an outage (`outageOf`), until the returned function
   * is called.
   */
  onOutage(receive: (error: unknown) => void): () => void
  close(): Promise<void>
}

export type TransactionOptions = {
  /**
   * True for statements that must use an index whatever the table's statistics say: lists of keys, and scans of a
   * queue. These statements run on connections of their own with the settings of `byIndexOnly`.
   */
  readonly byKey?: boolean
}

export type DbOptions = {
  readonly connection: pg.ClientConfig
  readonly maxConnections: number
  /**
   * True to use the fast path: `atOnce` sends one packet, lists are binary arrays, and a statement is sent before the
   * previous statement has returned.
   */
  readonly pipeline?: boolean
}

/**
 * The number of connections for `byKey`. Each kind of batch, the claims of notifications, the recording of deliveries
 * and the watchdog may use one connection each. The short claims of all other workers share one connection.
 */
const BY_KEY = 8
const idleTimeoutMillis = 30_000
/** The time-out for getting or opening a connection. A caller whose wait times out has stored nothing. */
const connectionTimeoutMillis = 10_000

/**
 * PostgreSQL ends a transaction that is idle for this time, for example in a process that hangs, and frees its locks.
 * No function with a Tx calls the network, so the work between two statements takes far less time (decision 0381).
 */
const IDLE_IN_TRANSACTION_MS = 10_000

/**
 * Sets the idle time-out of transactions by a statement, because poolers such as PgBouncer refuse it as a parameter of
 * the connection.
 */
async function boundTransactions(client: pg.ClientBase): Promise<void> {
  await client.query(`set idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`)
}

/** Raises the idle time-out of a transaction that waits for a slow reader. The transaction must not lock rows. */
export const atReadersPace = `set local idle_in_transaction_session_timeout = '10min'`

/**
 * Configures the planner for `byKey`, once per connection, because settings per transaction would cost as much as a
 * statement. Plans are generic and cached. A plan that was made for an empty table, or with old statistics, must
 * therefore also suit a large table:
 * - Only index scans are allowed. The statistics of a queue are always out of date, and the planner would then read or
 *   sort the whole table (decision 0191).
 * - Index entries are made expensive, so that only the index with the whole key is chosen. In a small table another
 *   index may look as cheap, and its plan would stay cached while the table grows.
 */
async function byIndexOnly(client: pg.ClientBase): Promise<void> {
  await boundTransactions(client)
  await client.query(`
    set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off;
    set enable_hashjoin = off; set enable_mergejoin = off;
    set plan_cache_mode = force_generic_plan; set cpu_index_tuple_cost = 1`)
}

/**
 * Planner settings for a transaction that reads large tables in ranges of their keys. The planner estimates a range by
 * the first column of the key only. Without these settings it would read the whole table, or the whole of another index
 * that also has this column.
 */
export const inKeyOrder = `
  set local enable_seqscan = off; set local enable_bitmapscan = off; set local cpu_index_tuple_cost = 1`

/** The planner setting of a transaction that repeats a large named statement: the statement is planned only once. */
export const plannedOnce = 'set local plan_cache_mode = force_generic_plan'

/**
 * Planner settings for a transaction that reads the changes of a period by a BRIN index, and then follows keys. Without
 * statistics the planner would read whole tables. The query uses one processor, because payments need the others.
 */
export const inTimeRange = `
  select set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
    set_config('enable_mergejoin', 'off', true), set_config('max_parallel_workers_per_gather', '0', true)`

// Amounts and merchant numbers are int8 and become bigint, never a float. Counts are int4.
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, (text) => BigInt(text))

export function openDb(options: DbOptions): Db {
  const { pipeline = true } = options
  const encode = pipeline ? toBinary : toPlain
  const config = { ...options.connection, types, application_name: 'tollgate' }
  const shared = { ...config, pipeline, idleTimeoutMillis, connectionTimeoutMillis }
  const listeners = new Listeners({ ...config, connectionTimeoutMillis })
  const watch = new ConnectionWatch(config, () => listeners.reconnect())
  const pool = watch.openPool({ ...shared, max: options.maxConnections }, boundTransactions)
  const byKey = watch.openPool({ ...shared, max: BY_KEY }, byIndexOnly)
  const poolFor = (options: TransactionOptions | undefined) => (options?.byKey === true ? byKey : pool)
  const watchers = new Set<(error: unknown) => void>()
  const watched = async <Result>(work: Promise<Result>): Promise<Result> => {
    try {
      return await work
    } catch (error) {
      if (outageOf(error) !== undefined) for (const receive of watchers) receive(error)
      throw error
    }
  }
  return {
    query: (statement, options) => watched(runAlone(poolFor(options), statement, encode)),
    transaction: (work, options) => watched(inTransaction(poolFor(options), work, encode)),
    atOnce: (statements, options) =>
      watched((pipeline ? inPipeline : oneByOne)(poolFor(options), statements)),
    listen: (channel, receive) => listeners.add(channel, receive),
    onOutage(receive) {
      watchers.add(receive)
      return () => watchers.delete(receive)
    },
    async close() {
      await listeners.close()
      await Promise.all([pool.end(), byKey.end()])
      watch.close()
    },
  }
}

type Encode = (value: unknown) => unknown

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    noteOutage(error, 'nothing stored')
    throw error
  }
}

async function runAlone<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  statement: Statement,
  encode: Encode,
): Promise<Row[]> {
  const client = await connect(pool)
  try {
    const rows = await run<Row>(client, statement, encode)
    client.release()
    return rows
  } catch (error) {
    client.release(true)
    noteFailure(error, !isRead(statement))
    throw error
  }
}

/** True for a statement that stores nothing. Statements that write and read begin with `with`. */
function isRead({ text }: Statement): boolean {
  return /^\s*select\b/i.test(text)
}

async function run<Row extends pg.QueryResultRow>(
  client: pg.ClientBase,
  statement: Statement,
  encode: Encode,
  failed?: (error: unknown) => void,
): Promise<Row[]> {
  const { name, text } = statement
  const values = (statement.values ?? []).map(encode)
  try {
    const result = await client.query<Row>(name === undefined ? { text, values } : { name, text, values })
    return result.rows
  } catch (error) {
    failed?.(error)
    throw error
  }
}

/**
 * Encodes lists before the library begins to write. Otherwise an amount beyond 64 bits would fail in the middle of the
 * message. The library would then close the prepared statement but assume that it still exists, and all later uses on
 * this connection would fail.
 */
const toBinary: Encode = (value) => (value instanceof List ? arrayBytes(value) : value)
const toPlain: Encode = (value) => (value instanceof List ? value.toArray() : value)

async function inPipeline(pool: pg.Pool, statements: readonly Statement[]): Promise<void> {
  const client = await connect(pool)
  try {
    await sendPipeline(client, statements)
    client.release()
  } catch (error) {
    client.release(isConnectionError(error))
    noteFailure(error, true)
    throw error
  }
}

/**
 * Runs `atOnce` without the fast path. This path also encodes all values first, so it refuses the same values as the
 * fast path.
 */
async function oneByOne(pool: pg.Pool, statements: readonly Statement[]): Promise<void> {
  const encoded = statements.map(({ values = [], ...statement }) => ({
    ...statement,
    values: values.map((value) =>
      value instanceof List || Buffer.isBuffer(value) ? toPlain(value) : parameterText(value),
    ),
  }))
  await inTransaction(
    pool,
    async (tx) => {
      for (const statement of encoded) await tx.query(statement)
    },
    (value) => value,
  )
}

function isRefusedAfterFailure(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '25P02'
}

async function inTransaction<Result>(
  pool: pg.Pool,
  work: (tx: Tx) => Promise<Result>,
  encode: Encode,
): Promise<Result> {
  const client = await connect(pool)
  let broken: Error | undefined
  let cause: unknown
  let isCommitSent = false
  const failed = (error: unknown) => {
    cause ??= error
  }
  try {
    // The response to `begin` is awaited later, so that the first statement is sent immediately.
    const begun = client.query('begin')
    begun.catch(() => {})
    const result = await work({
      inTransaction: true,
      query: (statement) => run(client, statement, encode, failed),
    })
    await begun
    isCommitSent = true
    const { command } = await client.query('commit')
    // If `work` caught the error of a failed statement, the server undoes the transaction instead of the commit.
    if (command !== 'COMMIT') throw cause ?? new Error(`the server answered the commit with ${command}`)
    return result
  } catch (error) {
    await client.query('rollback').catch((rollbackError: Error) => {
      broken = rollbackError
    })
    // If statements were sent together, the server also refuses every statement after the failed one, and does not name
    // the cause.
    const reported = isRefusedAfterFailure(error) ? cause : error
    noteFailure(reported, isCommitSent)
    throw reported
  } finally {
    client.release(broken)
  }
}

/** True for a deadlock or a serialization failure: nothing was written, and a retry may succeed. */
export function mayRetry(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '40P01' || error.code === '40001')
}

/** The code of the error that only the schema's function `precondition_failed` raises. */
const PRECONDITION_FAILED = 'TG001'
const UNIQUE_VIOLATION = '23505'

/** Returns an expression for the select list of a statement. The statement fails if the condition is false. */
export function demand(condition: string): string {
  return `case when ${condition} then 1 else precondition_failed() end`
}

/** True if the condition of a `demand` was false: nothing was written. */
export function isPreconditionFailed(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === PRECONDITION_FAILED
}

/** True if the key of this constraint is taken: nothing was written. A violation of any other constraint is a bug. */
export function isTaken(error: unknown, constraint: string): boolean {
  return (
    error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION && error.constraint === constraint
  )
}
