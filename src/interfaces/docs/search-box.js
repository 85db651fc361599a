// The search of the documentation, in the reader's browser: suggestions below the search box, and the results on the
// pages that have a place for them. `npm run manifest` bundles this file into assets/search.js.
/*! This script contains MiniSearch, © Luca Ongaro, MIT License. */
import { addressOf, excerptOf, nameOf, openSearch } from './search.ts'

const TYPING_MS = 120
const MOST_SUGGESTIONS = 8
const { root: toRoot } = document.body.dataset
const input = document.querySelector('#search')
const suggestions = document.createElement('ul')
suggestions.className = 'suggestions'
suggestions.hidden = true
suggestions.setAttribute('aria-label', 'Suggestions')
input.form.append(suggestions)
let opened
let asked = ''
let timer

// Finds passages. The passages are loaded on the first search, and again after a failure.
async function find(query) {
  opened ??= fetch(`${toRoot}docs/passages.json`)
    .then((response) => (response.ok ? response.json() : Promise.reject(new Error(response.statusText))))
    .then(openSearch)
  try {
    return (await opened)(query)
  } catch {
    opened = undefined
    return undefined
  }
}

async function suggest() {
  const query = input.value.trim()
  if (query === asked) return
  asked = query
  if (query === '') return hideSuggestions()
  const found = await find(query)
  if (found === undefined || query !== asked) return
  const items = found.slice(0, MOST_SUGGESTIONS).map((hit) => element('li', linkTo(hit)))
  const none = element('li', element('p', 'Nothing found'))
  suggestions.replaceChildren(...(items.length === 0 ? [none] : items))
  suggestions.hidden = false
}

function linkTo(hit) {
  const link = element('a', nameOf(hit))
  link.href = toRoot + addressOf(hit)
  return link
}

function element(name, ...content) {
  const made = document.createElement(name)
  made.append(...content)
  return made
}

function hideSuggestions() {
  asked = ''
  suggestions.hidden = true
}

input.addEventListener('focus', () => find(''))
input.addEventListener('input', () => {
  clearTimeout(timer)
  timer = setTimeout(suggest, TYPING_MS)
})
input.form.addEventListener('focusout', ({ relatedTarget }) => {
  if (!input.form.contains(relatedTarget)) hideSuggestions()
})
// A pointer press must not move the focus out of the search box, because the suggestions would be hidden before the
// click.
suggestions.addEventListener('pointerdown', (event) => event.preventDefault())
input.form.addEventListener('keydown', (event) => {
  const links = [...suggestions.querySelectorAll('a')]
  const at = links.indexOf(document.activeElement)
  if (event.key === 'Escape') {
    hideSuggestions()
    input.focus()
  } else if (event.key === 'ArrowDown' && !suggestions.hidden) {
    event.preventDefault()
    links[Math.min(at + 1, links.length - 1)]?.focus()
  } else if (event.key === 'ArrowUp' && at >= 0) {
    event.preventDefault()
    const previous = links[at - 1] ?? input
    previous.focus()
  }
})
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.closest('input, textarea, select')) return
  event.preventDefault()
  input.focus()
})

// The page of results searches for the query in its address. The page of an unknown address searches for the words of
// that address.

const place = document.querySelector('#found')
if (place) showResults(place, place.dataset.by === 'query')

async function showResults(place, byQuery) {
  const { search, pathname } = location
  const words = byQuery ? (new URLSearchParams(search).get('q') ?? '') : wordsOf(pathname)
  input.value = words.slice(0, input.maxLength)
  if (words.trim() === '') return
  const found = await find(words)
  if (found === undefined || (found.length === 0 && !byQuery)) return
  place.replaceChildren(...(found.length === 0 ? [nothingFor(words)] : resultsFor(words, found)))
}

function wordsOf(pathname) {
  const path = pathname.replace(/.*?\/docs\//, '')
  return path.replace(/%[0-9a-f]{2}|[^\p{L}\p{N}]+/giu, ' ').trim()
}

function nothingFor(words) {
  const advice = '. Try fewer or shorter words, or choose a page from the contents.'
  return element('p', 'Nothing was found for ', element('strong', words), advice)
}

function resultsFor(words, found) {
  const count = element(
    'p',
    `${found.length === 1 ? 'One result' : `${found.length} results`} for “${words}”`,
  )
  count.className = 'soft'
  const list = element('ol', ...found.map((hit) => element('li', linkTo(hit), excerpt(hit))))
  list.className = 'results'
  return [count, list]
}

function excerpt(hit) {
  const pieces = excerptOf(hit).map((piece, at) => (at % 2 === 1 ? element('mark', piece) : piece))
  return element('p', ...pieces)
}
