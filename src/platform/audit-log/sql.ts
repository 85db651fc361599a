import type { Queryable, Tx } from '../postgres/db.ts'
import { arrayOf, int8, itself, text } from '../postgres/lists.ts'
import type { AuditEntry } from './entry.ts'

export async function insertEntry(tx: Tx, entryId: string, entry: AuditEntry): Promise<void> {
  const { merNo, at, actor, action, subject, before, after, reason } = entry
  await tx.query({
    name: 'audit-log.insert',
    text: `
      insert into audit_log (mer_no, entry_id, at, actor_kind, actor, address, action, subject, before, after, reason)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    values: [
      merNo,
      entryId,
      at,
      actor.kind,
      actor.name,
      actor.address ?? null,
      action,
      subject,
      before === undefined ? null : JSON.stringify(before),
      after === undefined ? null : JSON.stringify(after),
      reason ?? null,
    ],
  })
}

export type AuditRow = {
  readonly mer_no: bigint
  readonly entry_id: string
  readonly at: Date
  readonly actor_kind: AuditEntry['actor']['kind']
  readonly actor: string
  readonly address: string | null
  readonly action: string
  readonly subject: string
  readonly before: AuditEntry['before'] | null
  readonly after: AuditEntry['after'] | null
  readonly reason: string | null
}

const columns = 'mer_no, entry_id, at, actor_kind, actor, address, action, subject, before, after, reason'

/** The conditions on lines. An undefined condition matches every line. */
type AuditFilter = {
  readonly merNo: number | undefined
  readonly actor: string | undefined
  /** An action or its beginning, as in `merchant.`. */
  readonly action: string | undefined
  readonly subject: string | undefined
  /** The range of ids: from `from` (inclusive) to `before` (exclusive). */
  readonly from: string | undefined
  readonly before: string | undefined
}

export function selectEntries(db: Queryable, filter: AuditFilter, limit: number): Promise<AuditRow[]> {
  const conditions: string[] = []
  const values: unknown[] = [limit]
  const add = (condition: string, value: unknown) => {
    if (value === undefined) return
    values.push(value)
    conditions.push(condition.replace('?', `$${values.length}`))
  }
  add('mer_no = ?', filter.merNo)
  add('subject = ?', filter.subject)
  add('entry_id < ?', filter.before)
  add('entry_id >= ?', filter.from)
  add('lower(actor) = lower(?)', filter.actor)
  // PostgreSQL uses the index only with the operator and the collation of that index.
  add('action collate "C" ^@ ?', filter.action)
  const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`
  return db.query<AuditRow>({
    text: `select ${columns} from audit_log ${where} order by entry_id desc limit $1`,
    values,
  })
}

export function selectActions(
  db: Queryable,
  merNos: readonly number[],
  actions: readonly string[],
  from: string,
): Promise<AuditRow[]> {
  return db.query<AuditRow>({
    text: `select ${columns} from audit_log
      where mer_no = any (${merchantsOf.text}) and action = any (${actionsOf.text}) and entry_id >= $3`,
    values: [merchantsOf.value(merNos), actionsOf.value(actions), from],
  })
}

const merchantsOf = arrayOf(int8<number>(itself), 1)
const actionsOf = arrayOf(text<string>(itself), 2)

export async function selectEntry(
  db: Queryable,
  merNo: number,
  entryId: string,
): Promise<AuditRow | undefined> {
  const [row] = await db.query<AuditRow>({
    name: 'audit-log.find',
    text: `select ${columns} from audit_log where mer_no = $1 and entry_id = $2`,
    values: [merNo, entryId],
  })
  return row
}
