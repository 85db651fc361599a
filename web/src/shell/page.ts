import type { ComponentType } from 'react'
import type { Permission } from '../../../src/people/roles/permissions.ts'
import type { IconName } from '../parts/icon.tsx'
import type { Language } from '../words/language.ts'
import type { ShellWords } from '../words/shell.ts'

/** The entries of the navigation, in their order. An entry is hidden from people who may see none of its pages. */
export const entries = [
  { id: 'overview', key: 'v' },
  { id: 'queues', key: 'q' },
  { id: 'merchants', key: 'm' },
  { id: 'orders', key: 'o' },
  { id: 'payouts', key: 'p' },
  { id: 'disputes', key: 'd' },
  { id: 'links', key: 'l' },
  { id: 'statements', key: 't' },
  { id: 'books', key: 'b' },
  { id: 'channels', key: 'c' },
  { id: 'risk', key: 'r' },
  { id: 'developers', key: 'e' },
  { id: 'settings', key: 's' },
] as const satisfies readonly {
  readonly id: IconName & keyof ShellWords['entries']
  readonly key: string
}[]

export type EntryId = (typeof entries)[number]['id']

export type Page = {
  readonly entry: EntryId
  /** The path, in the notation of wouter, such as `/settings/audit/:entryId?`. */
  readonly path: string
  readonly title: (language: Language) => string
  readonly needs: Permission | 'signed-in'
  readonly only?: 'merchant' | 'operator'
  /** False for a page that is opened from another page. The page then has no tab. */
  readonly tab?: false
  readonly load: () => Promise<ComponentType>
}

export function pathOf({ path }: Page): string {
  return path.replace(/\/:.*/, '')
}
