// A change with a preview and an optimistic lock. A dry run makes the real change in a transaction, reads the result
// and rolls back. Therefore the preview cannot differ from the change.
import { hash } from 'node:crypto'
import type { AuditEntry } from '../../platform/audit-log/entry.ts'
import { writeAudit } from '../../platform/audit-log/write-entry.ts'
import { Problem } from '../../platform/errors/problem.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'

type State = Readonly<Record<string, unknown>>

export type Editing = {
  /** Reads the state and locks it until the transaction ends. */
  look(tx: Tx): Promise<State>
  /** The version that the person saw. If undefined, any version is accepted. */
  readonly seen?: string | undefined
  readonly dryRun?: boolean | undefined
  readonly line: Omit<AuditEntry, 'before' | 'after'>
}

export type FieldChange = { readonly name: string; readonly before: unknown; readonly after: unknown }

export type Edited = {
  readonly before: State
  readonly after: State
  readonly changes: FieldChange[]
  readonly version: string
}

class Undo extends Error {}

/**
 * Makes the change or, in a dry run, only previews it. `change` must open exactly one transaction on the database that
 * it gets.
 */
export async function edit(db: Db, editing: Editing, change: (db: Db) => Promise<unknown>): Promise<Edited> {
  let edited: Edited | undefined
  const watched: Db = {
    ...db,
    transaction: (work, options) =>
      db.transaction(async (tx) => {
        const before = await editing.look(tx)
        if (editing.seen !== undefined && editing.seen !== versionOf(before))
          throw new Problem(
            'conflict',
            'Somebody changed this meanwhile. Load it again, then repeat your change.',
          )
        const result = await work(tx)
        edited = compare(before, await editing.look(tx))
        if (editing.dryRun === true) throw new Undo()
        await writeAudit(tx, { ...editing.line, ...sides(edited.changes) })
        return result
      }, options),
  }
  try {
    await change(watched)
  } catch (error) {
    if (!(error instanceof Undo)) throw error
  }
  if (edited === undefined) throw new Error('an edit opens a transaction')
  return edited
}

/** Returns the version of a state, which is a hash of all its fields. */
export function versionOf(state: State): string {
  return hash('sha256', JSON.stringify(state), 'hex').slice(0, 16)
}

function compare(before: State, after: State): Edited {
  const changes = Object.keys(after)
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .map((name) => ({ name, before: before[name], after: after[name] }))
  return { before, after, changes, version: versionOf(after) }
}

function sides(changes: readonly FieldChange[]): Pick<AuditEntry, 'before' | 'after'> {
  const side = (which: 'before' | 'after') =>
    Object.fromEntries(changes.map((change) => [change.name, change[which]]))
  return { before: side('before'), after: side('after') }
}
