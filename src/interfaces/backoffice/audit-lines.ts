// Makes the audit log's lines about actions in the back office.
import { actorOf, type Caller } from '../../people/roles/caller.ts'
import type { AuditEntry } from '../../platform/audit-log/entry.ts'
import { writeAudit } from '../../platform/audit-log/write-entry.ts'
import type { Clock } from '../../platform/base/clock.ts'
import { merNoOf } from '../../platform/base/id.ts'
import type { Db } from '../../platform/postgres/db.ts'

/** Returns an audit line about something whose id contains the merchant number. */
export function lineAbout(
  caller: Caller,
  clock: Clock,
  about: Pick<AuditEntry, 'action'> & {
    readonly id: string
    readonly reason?: string
    readonly before?: NonNullable<AuditEntry['before']>
    readonly after?: NonNullable<AuditEntry['after']>
  },
): AuditEntry {
  const { id, ...rest } = about
  return { ...rest, merNo: merNoOf(id) ?? 0, subject: id, at: clock.now(), actor: actorOf(caller) }
}

/**
 * A file that a person downloads. `merNo` is the merchant whose data the file contains, and whose audit log gets the
 * line.
 */
type TakenExport = Pick<AuditEntry, 'merNo' | 'subject'> & {
  readonly holds: Readonly<Record<string, unknown>>
}

/** Records a download before the file is sent, because even an interrupted download has shown data. */
export async function recordDownload(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  caller: Caller,
  { merNo, subject, holds }: TakenExport,
): Promise<void> {
  const line = { merNo, at: clock.now(), actor: actorOf(caller), action: 'export.download', subject }
  await db.transaction((tx) => writeAudit(tx, { ...line, after: holds }))
}
