// The navigation, with the entries that have pages which the person may see.
import { Stack } from '@mantine/core'
import { Link, useLocation } from 'wouter'
import { Icon } from '../parts/icon.tsx'
import { shellWords } from '../words/shell.ts'
import { useWords } from '../words/use-words.tsx'
import { useMyPages } from './me.tsx'
import { entries, pathOf } from './page.ts'

export function useMyEntries() {
  const mine = useMyPages()
  return entries.flatMap((entry) => {
    const first = mine.find((page) => page.entry === entry.id && page.tab !== false)
    return first === undefined ? [] : [{ ...entry, path: pathOf(first) }]
  })
}

export function Navigation() {
  const shell = useWords(shellWords)
  const [location] = useLocation()
  const mine = useMyPages()
  const here = mine.find((page) => location === pathOf(page) || location.startsWith(`${pathOf(page)}/`))
  return (
    <Stack gap={4}>
      {useMyEntries().map(({ id, path }) => (
        <Link key={id} href={path} className="entry" {...(here?.entry === id && { 'aria-current': 'page' })}>
          <Icon name={id} />
          {shell.entries[id]}
        </Link>
      ))}
    </Stack>
  )
}
