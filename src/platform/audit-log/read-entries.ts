// Reads the audit log: pages, one line, or everything that a filter finds.
import { idsFrom, merNoOf } from '../base/id.ts'
import type { Queryable } from '../postgres/db.ts'
import { type AuditRow, selectEntries, selectEntry } from './sql.ts'

export type AuditQuery = {
  /** Undefined: all merchants and the platform. */
  readonly merNo: number | undefined
  readonly actor?: string | undefined
  readonly action?: string | undefined
  readonly subject?: string | undefined
  readonly from?: Date | undefined
  /** Exclusive. */
  readonly until?: Date | undefined
  /** The last line of the page before. */
  readonly after?: string | undefined
}

/** Newest first; one more than asked for if there are more. */
export function readEntries(db: Queryable, query: AuditQuery, limit: number): Promise<AuditRow[]> {
  const { merNo, actor, action, subject, from, until, after } = query
  const end = until === undefined ? undefined : idsFrom('L', until)
  const before = after !== undefined && (end === undefined || after < end) ? after : end
  return selectEntries(
    db,
    { merNo, actor, action, subject, before, from: from === undefined ? undefined : idsFrom('L', from) },
    limit,
  )
}

/** Undefined if there is no such line, or it is another merchant's. */
export async function readEntry(
  db: Queryable,
  merNo: number | undefined,
  entryId: string,
): Promise<AuditRow | undefined> {
  const owner = merNoOf(entryId)
  if (owner === undefined || (merNo !== undefined && merNo !== owner)) return undefined
  return selectEntry(db, owner, entryId)
}

const PIECE_ROWS = 1000

/** Every line that the query finds, in pieces, so that its number does not matter. */
export async function* readAllEntries(db: Queryable, query: AuditQuery): AsyncGenerator<readonly AuditRow[]> {
  let after = query.after
  for (;;) {
    const rows = await readEntries(db, { ...query, after }, PIECE_ROWS)
    yield rows
    after = rows.at(-1)?.entry_id
    if (rows.length < PIECE_ROWS || after === undefined) return
  }
}
