// A role, and its name in the person's language. A custom role has the same name in all languages.
import type { Reply } from '../../api/send.ts'
import type { TeamWords } from '../../words/team.ts'

export type Role = Reply<'GET /roles'>['rows'][number]

export function roleName(role: string, { roleNames }: TeamWords): string {
  return Object.entries(roleNames).find(([id]) => id === role)?.[1] ?? role
}
