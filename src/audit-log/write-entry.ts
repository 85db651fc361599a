import { makeId } from '../base/id.ts'
import type { Tx } from '../postgres/db.ts'
import type { AuditEntry } from './entry.ts'
import { insertEntry } from './sql.ts'

export async function writeAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  await insertEntry(tx, makeId('L', entry.merNo, entry.at), entry)
}
