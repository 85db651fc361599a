// What the search finds, in groups. Each source adds its group here.
import { pathOf } from '../pages.ts'
import { useWords } from '../words/use-words.tsx'
import { useMyPages } from './me.tsx'

export type Found = { readonly path: string; readonly title: string; readonly hint?: string }
export type FoundGroup = { readonly label: string; readonly found: readonly Found[] }

export function useFound(text: string): readonly FoundGroup[] {
  const { shell } = useWords()
  const groups = [{ label: shell.pages, found: useFoundPages(text) }]
  return groups.filter(({ found }) => found.length > 0)
}

function useFoundPages(text: string): readonly Found[] {
  const words = useWords()
  const wanted = text.trim().toLowerCase()
  const all = useMyPages()
    .filter(({ tab }) => tab !== false)
    .map((page) => ({
      path: pathOf(page),
      title: page.title(words),
      hint: words.shell.entries[page.entry],
    }))
  return all.filter(({ title, hint }) => `${title} ${hint}`.toLowerCase().includes(wanted))
}
