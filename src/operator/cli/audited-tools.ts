// The tools of a command that changes something. A line of the audit log is committed together with the change.
import type { AuditEntry } from '../../platform/audit-log/entry.ts'
import { audited } from '../../platform/audit-log/write-entry.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { type Call, type Command, type Tools, UsageError } from './command.ts'
import { commandActor } from './shared/actor.ts'

const WHY_LENGTH = 500

export function auditedTools(command: Command, call: Pick<Call, 'argument' | 'given'>, tools: Tools): Tools {
  const reason = readWhy(command, call.given.text('why'))
  const { why: _why, ...typed } = call.given.all
  const line = (made: unknown): AuditEntry => ({
    merNo: 0,
    subject: '',
    ...command.audit?.(call, made),
    at: tools.clock.now(),
    actor: commandActor(),
    action: command.name.replace(' ', '.'),
    after: typed,
    ...(reason !== undefined && { reason }),
  })
  let db: Db | undefined
  const database = async () => {
    db ??= audited(await tools.database(), line)
    return db
  }
  return { ...tools, database }
}

function readWhy(command: Command, text: string | undefined): string | undefined {
  if (text === undefined || (text.trim() !== '' && text.length <= WHY_LENGTH)) return text
  throw new UsageError(`--why must have 1 to ${WHY_LENGTH} characters`, command)
}
