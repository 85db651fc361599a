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
 * A table with a column `stored_in bigint not null default pg_current_xact_id()::text::bigint`, a BRIN index on it, and a row
 * in `sweeps` from the migration that added them.
 */
export type SweptTable = {
  readonly table: string
  readonly key: readonly string[]
  /** The condition of a row that waits for its due time. It holds from the insertion on, or never. */
  readonly waits: string
  /** The assignment that gives it the due time. Afterwards the row no longer waits. */
  readonly due: string
}

type Progress = {
  readonly is_same_cluster: boolean
  readonly swept_until: bigint
  readonly oldest_running: bigint
  readonly next: bigint
}

const LAST = 2n ** 63n - 1n

/** Waits for nobody: of several nodes one sweeps, and a row that is locked is left to a later sweep. */
export async function sweep(db: Db, { table, key, waits, due }: SweptTable): Promise<void> {
  const isMeant = `stored_in >= $1 and stored_in < $2 and ${waits}`
  await db.transaction(async (tx) => {
    await tx.query({ text: inTimeRange })
    const [progress] = await tx.query<Progress>({ text: progressText, values: [table] })
    if (progress === undefined) return
    const { is_same_cluster: isSame, swept_until, oldest_running: oldest, next } = progress
    const range = isSame ? [swept_until, next] : [0n, LAST]
    // Each of these statements sees all that was committed before it began, so at least what had ended at the one above.
    await tx.query({
      text: `
        with free as (select ${key.join(', ')} from ${table} where ${isMeant} for update skip locked)
        update ${table} t set ${due} from free where ${key.map((name) => `t.${name} = free.${name}`).join(' and ')}`,
      values: range,
    })
    const [left] = await tx.query<{ first: bigint | null }>({
      text: `select min(stored_in) as first from ${table} where ${isMeant}`,
      values: range,
    })
    const first = left?.first ?? LAST
    // Numbers of another server say nothing about how far this sweep came: unless it left nothing, the next one repeats it.
    if (!isSame && first !== LAST) return
    const reached = first < oldest ? first : oldest
    // Another node may have come further since this one looked for what is under way.
    await tx.query({
      text: moveText,
      values: [table, isSame && reached < swept_until ? swept_until : reached],
    })
  })
}

const progressText = `
  select cluster = (select system_identifier from pg_control_system()) as is_same_cluster, swept_until,
    pg_snapshot_xmin(pg_current_snapshot())::text::bigint as oldest_running,
    pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next
  from sweeps where name = $1 for update skip locked`

const moveText = `
  update sweeps set swept_until = $2, cluster = (select system_identifier from pg_control_system()) where name = $1`

export const SWEEP_MS = 5_000

export type SweeperOptions = {
  readonly everyMs?: number | undefined
  /** The next sweep does what this one did not. */
  readonly failed: (error: unknown) => void
}

/** To be called before each claim: sweeps at the first call, and then no sooner than a while after the last time. */
export function createSweeper(db: Db, table: SweptTable, options: SweeperOptions): () => Promise<void> {
  const { everyMs = SWEEP_MS, failed } = options
  let nextAt = 0
  return async () => {
    if (performance.now() < nextAt) return
    nextAt = performance.now() + everyMs
    await sweep(db, table).catch(failed)
  }
}
