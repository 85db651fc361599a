import type { Tx } from '../postgres/db.ts'
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
