// The tools of a command that changes something: what it does and its line of the audit log are committed together.
import { userInfo } from 'node:os'
import { audited } from '../audit-log/audited-db.ts'
import type { AuditEntry } from '../audit-log/entry.ts'
import type { Db } from '../postgres/db.ts'
import { type Call, type Command, type Tools, UsageError } from './command.ts'

const WHY_LENGTH = 500

export function auditedTools(command: Command, call: Pick<Call, 'argument' | 'given'>, tools: Tools): Tools {
  const reason = readWhy(command, call.given.text('why'))
  const { why: _why, ...typed } = call.given.all
  const line = (made: unknown): AuditEntry => ({
    merNo: 0,
    subject: '',
    ...command.audit?.(call, made),
    at: tools.clock.now(),
    actor: { kind: 'command', name: userInfo().username },
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
