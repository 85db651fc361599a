// All access to PostgreSQL. A function that takes a Tx makes no network call; one that calls the network takes no Tx.
import pg from 'pg'
import { ignoreErrors, Listeners } from './listeners.ts'
import { List, parameterText } from './lists.ts'
import { arrayBytes } from './pipeline/binary-array.ts'
import { sendPipeline } from './pipeline/pipeline.ts'

/** Anything that runs a statement: the pool, or one transaction. */
export type Queryable = {
  query<Row extends pg.QueryResultRow>(statement: Statement): Promise<Row[]>
}

/** Named statements are prepared once per connection, so the frequent ones have a name. */
export type Statement = {
  readonly name?: string
  readonly text: string
  readonly values?: readonly unknown[]
}

/** One transaction at read committed. Only `Db.transaction` creates one. */
export type Tx = Queryable & { readonly inTransaction: true }

export type Db = {
  /** One statement, committed by itself. */
  query<Row extends pg.QueryResultRow>(statement: Statement, options?: TransactionOptions): Promise<Row[]>
  transaction<Result>(work: (tx: Tx) => Promise<Result>, options?: TransactionOptions): Promise<Result>
  /**
   * One transaction of statements that do not need each other's results. The first one that fails undoes everything, and
   * its error is thrown. A statement that selects `demand` fails when its precondition does not hold.
   */
  atOnce(statements: readonly Statement[], options?: TransactionOptions): Promise<void>
  /** Calls back with the payload of every `notify` on the channel, and once with '' after each reconnect. */
  listen(channel: string, receive: (payload: string) => void): Promise<void>
  close(): Promise<void>
}

export type TransactionOptions = {
  /**
   * For statements that must use an index whatever the table's statistics say: lists of keys against tables of any size, and
   * scans of a queue. They run on separate connections with the settings of `byIndexOnly`.
   */
  readonly byKey?: boolean
}

export type DbOptions = {
  readonly connection: pg.ClientConfig
  readonly maxConnections: number
  /** The fast path: `atOnce` in one packet, lists as binary arrays, statements sent before the previous one has returned. */
  readonly pipeline?: boolean
  /** Called when an idle connection breaks. The pool opens a new one by itself. */
  readonly onLost?: (error: Error) => void
}

/**
 * One for each kind of batch, one each for the claims of notifications, the work beside them, and the watchdog, and one for
 * the short claims of the other workers.
 */
const BY_KEY = 8
const idleTimeoutMillis = 30_000

/**
 * A process that stands still inside a transaction loses it after this time, and with it the locks that the other nodes wait
 * for. Far more than the work between two statements takes: no function with a Tx calls the network (decision 0381).
 */
const IDLE_IN_TRANSACTION_MS = 10_000

/** A statement and not a parameter of the connection, which poolers such as PgBouncer refuse. */
async function boundTransactions(client: pg.ClientBase): Promise<void> {
  ignoreErrors(client)
  await client.query(`set idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`)
}

/** For a transaction that somebody reads from at their own pace, and that locks no rows. */
export const atReadersPace = `set local idle_in_transaction_session_timeout = '10min'`

/**
 * The only place with planner settings. They are set once per connection, because in each transaction they would cost as
 * much as a statement. Plans are generic and cached, so they must suit an empty table and old statistics:
 * - Only index scans are allowed. The statistics of a queue are always out of date, and the planner would then read or
 *   sort the whole table (decision 0191).
 * - Index entries are made expensive, so that only the index with the whole key is chosen. In a table of a few pages
 *   another index may look as cheap, and its plan would stay cached while the table grows.
 */
async function byIndexOnly(client: pg.ClientBase): Promise<void> {
  await boundTransactions(client)
  await client.query(`
    set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off;
    set enable_hashjoin = off; set enable_mergejoin = off;
    set plan_cache_mode = force_generic_plan; set cpu_index_tuple_cost = 1`)
}

/**
 * For a transaction that reads large tables in ranges of their keys. The planner takes such a range for a large part of the
 * table, because it estimates it by the first column of the key only: it would read the whole table, or the whole of another
 * index that has this column too.
 */
export const inKeyOrder = `
  set local enable_seqscan = off; set local enable_bitmapscan = off; set local cpu_index_tuple_cost = 1`

/**
 * For a transaction that reads what changed in a span of time by a BRIN index, and then follows keys. Without statistics the
 * planner would read whole tables for it. One processor is enough: payments need the others.
 */
export const inTimeRange = `
  select set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
    set_config('enable_mergejoin', 'off', true), set_config('max_parallel_workers_per_gather', '0', true)`

// Money and ids are int8 and become bigint, never a float. Counts are int4.
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, (text) => BigInt(text))

export function openDb(options: DbOptions): Db {
  const { pipeline = true } = options
  const encode = pipeline ? toBinary : toPlain
  const config = { ...options.connection, types, application_name: 'tollgate' }
  const shared = { ...config, pipeline, idleTimeoutMillis }
  const pool = new pg.Pool({ ...shared, max: options.maxConnections, onConnect: boundTransactions })
  const byKey = new pg.Pool({ ...shared, max: BY_KEY, onConnect: byIndexOnly })
  const poolFor = (options: TransactionOptions | undefined) => (options?.byKey === true ? byKey : pool)
  let closing = false
  // A server that stops while we close is not worth a report.
  const lost = (error: Error) => {
    if (!closing) options.onLost?.(error)
  }
  for (const one of [pool, byKey]) one.on('error', lost)
  const listeners = new Listeners(config, lost)
  return {
    query: (statement, options) => run(poolFor(options), statement, encode),
    transaction: (work, options) => inTransaction(poolFor(options), work, encode),
    atOnce: (statements, options) => (pipeline ? inPipeline : oneByOne)(poolFor(options), statements),
    listen: (channel, receive) => listeners.add(channel, receive),
    async close() {
      closing = true
      await listeners.close()
      await Promise.all([pool.end(), byKey.end()])
    },
  }
}

type Encode = (value: unknown) => unknown

async function run<Row extends pg.QueryResultRow>(
  client: pg.Pool | pg.ClientBase,
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
 * Lists are encoded before the library begins to write. A value that cannot be encoded, such as an amount beyond 64 bits,
 * would fail in the middle. The library then closes the prepared statement but still assumes that it exists, and every later
 * use of it on that connection fails.
 */
const toBinary: Encode = (value) => (value instanceof List ? arrayBytes(value) : value)
const toPlain: Encode = (value) => (value instanceof List ? value.toArray() : value)

async function inPipeline(pool: pg.Pool, statements: readonly Statement[]): Promise<void> {
  const client = await pool.connect()
  try {
    await sendPipeline(client, statements)
    client.release()
  } catch (error) {
    client.release(isConnectionError(error))
    throw error
  }
}

/** `atOnce` without the fast path. Values are encoded before anything is sent, and refused as the pipeline refuses them. */
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
  const client = await pool.connect()
  let broken: Error | undefined
  let cause: unknown
  const failed = (error: unknown) => {
    cause ??= error
  }
  try {
    // Not awaited: the first statement is sent directly after it.
    const begun = client.query('begin')
    begun.catch(() => {})
    const result = await work({
      inTransaction: true,
      query: (statement) => run(client, statement, encode, failed),
    })
    await begun
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch((rollbackError: Error) => {
      broken = rollbackError
    })
    // Of statements that were sent together, all after the one that failed are refused. They do not say why.
    throw isRefusedAfterFailure(error) ? cause : error
  } finally {
    client.release(broken)
  }
}

/** Deadlock or serialization failure: nothing was written, and a retry may succeed. */
export function mayRetry(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '40P01' || error.code === '40001')
}

/** Raised only by the schema's function `precondition_failed`. */
const PRECONDITION_FAILED = 'TG001'
const UNIQUE_VIOLATION = '23505'

/** For the select list of a statement, which then fails unless the condition holds. */
export function demand(condition: string): string {
  return `case when ${condition} then 1 else precondition_failed() end`
}

/** A `demand` did not hold: nothing was written. */
export function isPreconditionFailed(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === PRECONDITION_FAILED
}

/** The key of this constraint is taken: nothing was written. */
export function isTaken(error: unknown, constraint: string): boolean {
  return (
    error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION && error.constraint === constraint
  )
}

/** The connection failed, not the statement. It is then unknown whether a commit in progress was done. */
export function isConnectionError(error: unknown): boolean {
  // 25P03: it stood still inside a transaction.
  if (error instanceof pg.DatabaseError) return /^(08|53|57P|25P03)/.test(error.code ?? '')
  if (!(error instanceof Error)) return false
  // System codes such as ECONNRESET. Node's own codes, such as ERR_OUT_OF_RANGE, concern a value.
  if ('code' in error && typeof error.code === 'string') return /^E(?!RR_)/.test(error.code)
  return /^(Connection terminated|timeout exceeded|Client has encountered)/.test(error.message)
}
