import type { AuditEntry } from '../audit-log/entry.ts'
import type { Clock } from '../base/clock.ts'
import { merNoOf } from '../base/id.ts'
import { actorOf, type Caller } from './caller.ts'

/** The line of the audit log about one order, refund, payout or other thing whose id contains its merchant. */
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
