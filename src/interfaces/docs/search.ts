// Finds passages of all pages. The index is built when somebody searches for the first time, one page per turn of the event
// loop, so that payments never wait for it. It holds no keys: placeholders are filled with stand-ins.
import { setImmediate as nextTurn } from 'node:timers/promises'
import MiniSearch, { type SearchResult } from 'minisearch'
import type { Page } from './article.ts'

export type Hit = {
  readonly path: string
  readonly anchor: string
  readonly title: string
  readonly heading: string
  readonly text: string
  /** The words of the text that matched. */
  readonly terms: readonly string[]
}

/** Bounds on what a stranger can ask for. */
const MOST_CHARACTERS = 100
const MOST_TERMS = 8
const LONGEST_TERM = 32
const MOST_HITS = 20
const MOST_PER_PAGE = 3

export type Search = (query: string) => Promise<Hit[]>

export function openSearch(pages: readonly Page[]): Search {
  let index: Promise<MiniSearch> | undefined
  return async (query) => {
    const text = query.slice(0, MOST_CHARACTERS)
    if (text.trim() === '') return []
    index ??= buildIndex(pages)
    const found = (await index).search(text, {
      prefix: (term) => term.length > 1,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      maxFuzzy: 2,
      boost: { title: 4, heading: 2 },
      // The beginning of a page says what it is about.
      boostDocument: (_id, _term, stored) => (stored?.anchor === '' ? 2 : 1),
      tokenize: (entered) => wordsIn(entered).slice(0, MOST_TERMS),
    })
    return fewPerPage(found).map(({ path, anchor, title, heading, text: shown, terms }) => {
      return { path, anchor, title, heading, text: shown, terms }
    })
  }
}

/** The best of each page, so that one long page does not hide all others. */
function fewPerPage(found: readonly SearchResult[]): SearchResult[] {
  const counts = new Map<string, number>()
  const kept = found.filter(({ path }) => {
    const count = counts.get(path) ?? 0
    counts.set(path, count + 1)
    return count < MOST_PER_PAGE
  })
  return kept.slice(0, MOST_HITS)
}

async function buildIndex(pages: readonly Page[]): Promise<MiniSearch> {
  const index = new MiniSearch({
    fields: ['title', 'heading', 'text'],
    storeFields: ['path', 'anchor', 'title', 'heading', 'text'],
    tokenize,
  })
  for (const { path, title, passages } of pages) {
    await nextTurn()
    index.addAll(
      passages().map(({ id: anchor, heading, text }) => {
        return { id: `${path}#${anchor}`, path, anchor, title, heading, text }
      }),
    )
  }
  return index
}

/** Names of fields are found as a whole and by their parts: `merOrderNo` also by "order". */
function tokenize(text: string): string[] {
  const words = wordsIn(text)
  return [
    ...words,
    ...words.flatMap((word) => (/[a-z][A-Z]/.test(word) ? word.split(/(?<=[a-z])(?=[A-Z])/) : [])),
  ]
}

function wordsIn(text: string): string[] {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? []
  return words.map((word) => word.slice(0, LONGEST_TERM))
}
