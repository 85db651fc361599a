// The results of the search as a list box. The search field controls it.
import { Text } from '@mantine/core'
import { shellWords } from '../words/shell.ts'
import { useWords } from '../words/use-words.tsx'
import type { FoundGroup } from './use-found.ts'

type Props = {
  readonly groups: readonly FoundGroup[]
  readonly chosen: number
  readonly open: (path: string) => void
}

export function SearchResults({ groups, chosen, open }: Props) {
  const shell = useWords(shellWords)
  const all = groups.flatMap(({ found }) => found)
  if (all.length === 0)
    return (
      <Text c="dimmed" size="sm" mt="md" role="status" id="search-results">
        {shell.searchNothing}
      </Text>
    )
  return (
    <div className="search-results" role="listbox" id="search-results" aria-label={shell.search}>
      {groups.map(({ label, found }) => (
        // biome-ignore lint/a11y/useSemanticElements: a list box has groups of options
        <div key={label} role="group" aria-label={label}>
          <div className="search-group" aria-hidden="true">
            {label}
          </div>
          {found.map((result) => {
            const at = all.indexOf(result)
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field moves the choice by its keys
              <div
                key={`${result.path} ${result.title}`}
                id={`search-${at}`}
                role="option"
                tabIndex={-1}
                aria-selected={at === chosen}
                className="search-result"
                onClick={() => open(result.path)}
              >
                <span>{result.title}</span>
                {result.hint !== undefined && <span className="hint">{result.hint}</span>}
              </div>
            )
          })}
        </div>
      ))}
    </div>
  )
}
