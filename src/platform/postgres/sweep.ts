// Owns sweeps. A sweep looks at every row that was stored since the last sweep, and gives a due time to each row that
// still waits. Most rows of a work list are done milliseconds after they are stored. With a due time they would enter
// the index of due rows, and all their index entries would be written again. Therefore a row gets a due time only if it
// is still open at the next sweep (decision 0336).
//
// No row is missed. Each row has the number of the transaction that stored it. A sweep begins where the previous sweep
// may have missed rows: at the oldest transaction that was running, or at the first row that another transaction had
// locked. The progress does not depend on a clock, and a long transaction delays only its own rows.
import { type Db, inTimeRange } from './db.ts'

/**
 * A table whose rows have the number of the transaction that stored them, with an index. The migration that added this
 * number also inserts a row into `sweeps`.
 */
export type SweptTable = {
  readonly table: string
  readonly key: readonly string[]
  /** The column with the transaction's number, as a bigint. */
  readonly storedIn: string
  /** The condition of a row that waits for its due time. No later update of the row may make the condition true. */
  readonly waits: string
  /** The assignment of a due time. Afterwards the row no longer waits. */
  readonly due: string
  /** Further `with` queries of the statement. They can read `free`, the rows that are about to be swept. */
  readonly also?: string
}

type Progress = {
  readonly is_same_cluster: boolean
  readonly swept_until: bigint
  readonly oldest_running: bigint
  readonly next: bigint
}

const LAST = 2n ** 63n - 1n

/**
 * Sweeps once. Any number of nodes may sweep at the same time. Rows that another transaction has locked are left to a
 * later sweep, so that no sweep waits. Rows of the transaction `before` and of later transactions are also left to a
 * later sweep. Returns the number of the next transaction.
 */
export async function sweep(db: Db, swept: SweptTable, before = LAST): Promise<bigint> {
  const { table } = swept
  const [progress] = await db.query<Progress>({ text: progressText, values: [table] })
  if (progress === undefined) throw new Error(`no migration has prepared ${table} for sweeps`)
  const { is_same_cluster, swept_until, oldest_running, next } = progress
  const end = before < next ? before : next
  const reached = end < oldest_running ? end : oldest_running
  // Transaction numbers of another server cannot be compared, so all rows are read.
  const range = is_same_cluster ? [swept_until, end] : [0n, LAST]
  // The sweep sees every transaction that had ended at the time of the query above. Both statements are sent at once,
  // because payments wait for the rows that the sweep locks.
  await db.atOnce([{ text: inTimeRange }, { text: sweepText(swept), values: [...range, reached, table] }])
  return next
}

const progressText = `
  select cluster = (select system_identifier from pg_control_system()) as is_same_cluster, swept_until,
    pg_snapshot_xmin(pg_current_snapshot())::text::bigint as oldest_running,
    pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next
  from sweeps where name = $1`

// The `order by` reads the whole range before the first row is locked. Another node may have swept further, so progress
// never goes back.
//
// After a move to another server (cluster), a remaining row may have a transaction number that the new server has not
// assigned yet, because the row is from the previous server. Progress is recorded only if no such row remains.
function sweepText({ table, key, storedIn, waits, due, also }: SweptTable): string {
  const keys = key.join(', ')
  return `
    with seen as materialized (
      select ${keys}, ${storedIn} as stored_in from ${table}
      where ${storedIn} >= $1 and ${storedIn} < $2 and ${waits} order by ${storedIn}
    ), free as (
      select ${keys} from seen join ${table} t using (${keys}) where ${waits} for update of t skip locked
    ), ${also === undefined ? '' : `${also}, `}swept as (
      update ${table} t set ${due} from free where ${key.map((name) => `t.${name} = free.${name}`).join(' and ')}
      returning t.${storedIn} as stored_in
    ), remaining as (
      select min(stored_in) as first, max(stored_in) as last
      from (select stored_in from seen except all select stored_in from swept) as missed
    )
    update sweeps s set cluster = c.system_identifier, swept_until =
      greatest(least($3, r.first), case when s.cluster = c.system_identifier then s.swept_until end)
    from pg_control_system() c, remaining r
    where s.name = $4 and (s.cluster = c.system_identifier or r.last is null
      or r.last < pg_snapshot_xmax(pg_current_snapshot())::text::bigint)`
}

export type SweeperOptions = {
  readonly everyMs: number
  /** True to leave rows stored since the last sweep to the next sweep: work on them is likely in progress. */
  readonly sparesNew?: true
  /** Reports the error of a sweep. The next sweep does the missed work. */
  readonly failed: (error: unknown) => void
}

/** Returns a function to call before each claim. The function sweeps at most once per `everyMs`. */
export function createSweeper(db: Db, table: SweptTable, options: SweeperOptions): () => Promise<void> {
  const { everyMs, sparesNew, failed } = options
  let nextAt = 0
  let next: bigint | undefined
  return async () => {
    if (performance.now() < nextAt) return
    nextAt = performance.now() + everyMs
    try {
      next = await sweep(db, table, sparesNew ? next : undefined)
    } catch (error) {
      failed(error)
    }
  }
}
