import { userInfo } from 'node:os'
import type { Actor } from '../audit-log/entry.ts'

/** Who runs the command, for the audit log: the account of the operating system. */
export function commandActor(): Actor {
  return { kind: 'command', name: userInfo().username }
}
