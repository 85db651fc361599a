// Finds passages of the documentation. This file runs in the reader's browser. The gateway only sends the passages, so
// a search costs the gateway nothing. `npm run manifest` bundles this file with search-box.js into assets/search.js.
import MiniSearch, { type SearchResult } from 'minisearch'

export type Found = {
  readonly path: string
  /** The heading's id, or '' for the beginning of the page. */
  readonly anchor: string
  readonly title: string
  readonly heading: string
  readonly text: string
}

export type Hit = Found & {
  readonly terms: readonly string[]
}

const MOST_CHARACTERS = 100
const MOST_TERMS = 8
const LONGEST_TERM = 32
const MOST_HITS = 20
const MOST_PER_PAGE = 3
/** The number of passages that are indexed at a time, so that a page stays responsive on a phone. */
const CHUNK = 40
const BEFORE = 60
const EXCERPT = 200

/** Maps words that newcomers type to the words that the documentation uses. The search looks for both words. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  '3ds': ['secure', 'authenticate'],
  amex: ['american', 'express'],
  callback: ['notifications'],
  ipn: ['notifications'],
  webhook: ['notifications'],
  webhooks: ['notifications'],
  idempotency: ['twice'],
  idempotent: ['twice'],
  retry: ['twice'],
  chargeback: ['disputes'],
  disbursement: ['payouts'],
  withdrawal: ['payouts'],
  embed: ['drop'],
  iframe: ['drop'],
  popup: ['drop'],
  bitcoin: ['crypto'],
  stablecoin: ['crypto'],
  hmac: ['signing'],
  library: ['sdk'],
  javascript: ['sdk', 'samples'],
  java: ['samples'],
  php: ['samples'],
  python: ['samples'],
  swagger: ['openapi'],
  postman: ['openapi'],
}

export type Search = (query: string) => Hit[]

export async function openSearch(passages: readonly Found[]): Promise<Search> {
  const index = new MiniSearch<Found & { readonly id: number }>({
    fields: ['title', 'heading', 'text'],
    storeFields: ['path', 'anchor', 'title', 'heading', 'text'],
    tokenize,
  })
  const numbered = passages.map((passage, id) => ({ ...passage, id }))
  await index.addAllAsync(numbered, { chunkSize: CHUNK })
  return (query) => {
    const text = query.slice(0, MOST_CHARACTERS)
    if (text.trim() === '') return []
    const found = index.search(text, {
      prefix: (term) => term.length > 1,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      maxFuzzy: 2,
      boost: { title: 4, heading: 2 },
      // The beginning of a page has double weight, because it says what the page is about.
      boostDocument: (_id, _term, stored) => (stored?.anchor === '' ? 2 : 1),
      tokenize: (entered) => withSynonyms(wordsIn(entered).slice(0, MOST_TERMS)),
    })
    return fewPerPage(found).map(({ path, anchor, title, heading, text: shown, terms }) => {
      return { path, anchor, title, heading, text: shown, terms }
    })
  }
}

/** Keeps the best passages of each page, so that one long page does not hide all others. */
function fewPerPage(found: readonly SearchResult[]): SearchResult[] {
  const counts = new Map<string, number>()
  const kept = found.filter(({ path }) => {
    const count = counts.get(path) ?? 0
    counts.set(path, count + 1)
    return count < MOST_PER_PAGE
  })
  return kept.slice(0, MOST_HITS)
}

/**
 * Returns the words of a text. A field name is found by the whole name and by its parts. For example, `merOrderNo` is
 * also found by "order".
 */
function tokenize(text: string): string[] {
  const words = wordsIn(text)
  return [
    ...words,
    ...words.flatMap((word) => (/[a-z][A-Z]/.test(word) ? word.split(/(?<=[a-z])(?=[A-Z])/) : [])),
  ]
}

function withSynonyms(words: readonly string[]): string[] {
  return words.flatMap((word) => {
    const typed = word.toLowerCase()
    return [word, ...(Object.hasOwn(SYNONYMS, typed) ? (SYNONYMS[typed] ?? []) : [])]
  })
}

function wordsIn(text: string): string[] {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? []
  return words.map((word) => word.slice(0, LONGEST_TERM))
}

/** Returns the address of a result, relative to the gateway's root. */
export function addressOf({ path, anchor }: Found): string {
  return `docs/${path}${anchor === '' ? '' : `#${anchor}`}`
}

export function nameOf({ title, heading }: Found): string {
  return heading === '' ? title : `${title}: ${heading}`
}

/** Returns the text around the first match, in pieces. Every second piece is a matching word. */
export function excerptOf({ text, terms }: Hit): readonly string[] {
  // Terms contain only letters and digits, so they need no escaping in the pattern.
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(${terms.join('|')})(?![\\p{L}\\p{N}])`, 'giu')
  const at = Math.max(0, text.search(pattern) - BEFORE)
  const start = at === 0 ? 0 : text.indexOf(' ', at) + 1
  const [first = '', ...rest] = text.slice(start, start + EXCERPT).split(pattern)
  const pieces = [start > 0 ? `… ${first}` : first, ...rest]
  return start + EXCERPT < text.length ? [...pieces.slice(0, -1), `${pieces.at(-1)} …`] : pieces
}
