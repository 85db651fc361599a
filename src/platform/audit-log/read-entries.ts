import { idsFrom, merNoOf } from '../base/id.ts'
import type { Queryable } from '../postgres/db.ts'
import { type AuditRow, selectActions, selectEntries, selectEntry } from './sql.ts'

export type AuditQuery = {
  /** The merchant whose entries are selected. Undefined selects the entries of all merchants and of the platform. */
  readonly merNo: number | undefined
  readonly actor?: string | undefined
  readonly action?: string | undefined
  readonly subject?: string | undefined
  readonly from?: Date | undefined
  /** The end of the range, exclusive. */
  readonly until?: Date | undefined
  /** The id of the last line on the previous page. */
  readonly after?: string | undefined
}

/** Returns at most `limit` lines, newest first. */
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

/** Finds a line by its id, of any merchant or only of `merNo`. */
export async function readEntry(
  db: Queryable,
  merNo: number | undefined,
  entryId: string,
): Promise<AuditRow | undefined> {
  const owner = merNoOf(entryId)
  if (owner === undefined || (merNo !== undefined && merNo !== owner)) return undefined
  return selectEntry(db, owner, entryId)
}

export function readActions(
  db: Queryable,
  wanted: { readonly merNos: readonly number[]; readonly actions: readonly string[]; readonly from: Date },
): Promise<AuditRow[]> {
  return selectActions(db, wanted.merNos, wanted.actions, idsFrom('L', wanted.from))
}

const PIECE_ROWS = 1000

/** Yields all lines in pieces, so that a long result never fills the memory. */
export async function* readAllEntries(db: Queryable, query: AuditQuery): AsyncGenerator<readonly AuditRow[]> {
  let after = query.after
  for (;;) {
    const rows = await readEntries(db, { ...query, after }, PIECE_ROWS)
    yield rows
    after = rows.at(-1)?.entry_id
    if (rows.length < PIECE_ROWS || after === undefined) return
  }
}
