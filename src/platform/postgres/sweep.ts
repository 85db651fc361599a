// Owns sweeps. A sweep looks at every row that was stored since the last one, and gives a due time to those that still wait.
//
// Most rows of a work list are done milliseconds after they are stored. Stored with a due time, each would be entered into the
// index of due rows, and all its index entries would be written again when it is done. So it is stored without one; only what
// is still open at the next sweep gets it, and is then found by the index like every other row (decision 0336).
//
// No row is missed. Each has the number of the transaction that stored it, and a sweep begins where the one before could
// still miss something: at the oldest transaction that was under way, or at the first row that somebody else had locked. No
// clock takes part, and a long transaction delays no row but its own.
import { type Db, inTimeRange } from './db.ts'

/**
 * A table whose rows have the number of the transaction that stored them, with an index on it, and a row in `sweeps` from the
 * migration that added it.
 */
export type SweptTable = {
  readonly table: string
  readonly key: readonly string[]
  /** The number of the transaction, as a bigint. */
  readonly storedIn: string
  /** The condition of a row that waits for its due time. It holds from the insertion on, or never. */
  readonly waits: string
  /** The assignment that gives it the due time. Afterwards the row no longer waits. */
  readonly due: string
  /** Further parts of the statement, such as what it inserts for the rows of `free`, which are about to be swept. */
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
 * Any number of nodes may sweep. A row that somebody has locked is left to a later sweep, so nobody waits long. So are those
 * stored by the transaction `before` or later. Returns the number of the next transaction.
 */
export async function sweep(db: Db, swept: SweptTable, before = LAST): Promise<bigint> {
  const { table } = swept
  const [progress] = await db.query<Progress>({ text: progressText, values: [table] })
  if (progress === undefined) throw new Error(`no migration has prepared ${table} for sweeps`)
  const { is_same_cluster, swept_until, oldest_running, next } = progress
  const end = before < next ? before : next
  const reached = end < oldest_running ? end : oldest_running
  // The numbers of another server say nothing here.
  const range = is_same_cluster ? [swept_until, end] : [0n, LAST]
  // This sees all that was committed before it began, so at least what had ended at the query above. Sent at once, because
  // payments wait for the rows that it locks.
  await db.atOnce([{ text: inTimeRange }, { text: sweepText(swept), values: [...range, reached, table] }])
  return next
}

const progressText = `
  select cluster = (select system_identifier from pg_control_system()) as is_same_cluster, swept_until,
    pg_snapshot_xmin(pg_current_snapshot())::text::bigint as oldest_running,
    pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next
  from sweeps where name = $1`

// The order makes it read the whole range before it locks the first row. Progress never goes back: another node may have
// come further meanwhile. On another server there is none until a sweep has left nothing that was stored on the one before, as
// far as numbers show: this server has not given those that are ahead.
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
  /** Rows that were stored since the last sweep are left to the next one: their work is likely under way. */
  readonly sparesNew?: true
  /** The next sweep does what this one did not. */
  readonly failed: (error: unknown) => void
}

/** To be called before each claim: sweeps at the first call, and then no sooner than a while after the last time. */
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
