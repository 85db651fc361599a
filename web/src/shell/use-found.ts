// What the search finds, in groups. Each source adds its group here.
import { useDebouncedValue } from '@mantine/hooks'
import { useCall } from '../api/use-call.ts'
import { pathOf } from '../pages.ts'
import { formatMoney } from '../parts/money.tsx'
import { useLanguage, useWords } from '../words/use-words.tsx'
import { useMyPages } from './me.tsx'

export type Found = { readonly path: string; readonly title: string; readonly hint?: string }
export type FoundGroup = { readonly label: string; readonly found: readonly Found[] }

export function useFound(text: string): readonly FoundGroup[] {
  const { shell } = useWords()
  const groups = [...useFoundRecords(text), { label: shell.pages, found: useFoundPages(text) }]
  return groups.filter(({ found }) => found.length > 0)
}

/** Shorter texts find too much to be of use. */
const LEAST_LENGTH = 3
const PAUSE_MS = 200

/** Orders, refunds, payouts, people and merchants, as the server finds them. */
function useFoundRecords(text: string): readonly FoundGroup[] {
  const { orders } = useWords()
  const { locale } = useLanguage()
  const [q] = useDebouncedValue(text.trim(), PAUSE_MS)
  const isLong = q.length >= LEAST_LENGTH
  const { data } = useCall('GET /search', { query: { q: isLong ? q : '-' } }, { enabled: isLong })
  if (!isLong || data === undefined) return []
  return data.groups.map(({ kind, rows }) => ({
    label: orders.found[kind],
    found: rows.map(({ path, title, note, state, money }) => {
      const named = state === undefined ? undefined : (orders.states[Number(state)] ?? state)
      const amount = money && formatMoney(money, locale)
      return { path, title, hint: [amount, named, note].filter(Boolean).join(' · ') }
    }),
  }))
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
