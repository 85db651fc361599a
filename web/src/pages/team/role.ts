// A role, and its name in the person's language. Roles that people define have the name that they were given.
import type { Reply } from '../../api/send.ts'
import type { Words } from '../../words/en.ts'

export type Role = Reply<'GET /roles'>['rows'][number]

export function roleName(role: string, { roleNames }: Words['team']): string {
  return Object.entries(roleNames).find(([id]) => id === role)?.[1] ?? role
}
