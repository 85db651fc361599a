// Adds copy buttons, tabs and search as you type to the documentation. The pages also work without script.

const root = document.documentElement
root.classList.add('js')

// Copying

async function copy(button, text) {
  await navigator.clipboard.writeText(text)
  button.textContent = 'Copied'
  button.classList.add('copied')
  setTimeout(() => {
    button.textContent = 'Copy'
    button.classList.remove('copied')
  }, 2000)
}

function addCopyButton(block) {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Copy'
  button.addEventListener('click', () => copy(button, block.querySelector('pre').innerText))
  block.append(button)
}

// Browsers offer the clipboard only over https and on this machine.
function addCopyButtons(place) {
  if (navigator.clipboard) for (const block of place.querySelectorAll('.listing')) addCopyButton(block)
}
addCopyButtons(document)
document.addEventListener('result', ({ target }) => addCopyButtons(target))

// Tabs: the chosen language is the same in all groups, and on the next page.

const LANGUAGE = 'docs-language'

function stored() {
  try {
    return localStorage.getItem(LANGUAGE)
  } catch {
    return null // storage is switched off
  }
}

function store(language) {
  try {
    localStorage.setItem(LANGUAGE, language)
  } catch {
    // It is remembered for this page only.
  }
}

const groups = [...document.querySelectorAll('.tabs')].map(makeTabs).filter(Boolean)

function makeTabs(group, place) {
  const panels = [...group.querySelectorAll('.tab')]
  if (panels.length === 0) return undefined
  const list = document.createElement('div')
  list.className = 'tablist'
  list.setAttribute('role', 'tablist')
  list.setAttribute('aria-label', 'Language')
  const tabs = panels.map((panel, at) => makeTab(panel, `tab-${place}-${at}`))
  list.append(...tabs)
  group.prepend(list)
  list.addEventListener('keydown', (event) => moveFocus(event, tabs))
  return { tabs, panels }
}

function makeTab(panel, id) {
  const tab = document.createElement('button')
  const name = panel.getAttribute('aria-label')
  tab.type = 'button'
  tab.id = id
  tab.textContent = name
  tab.setAttribute('role', 'tab')
  tab.setAttribute('aria-controls', `${id}-panel`)
  panel.id = `${id}-panel`
  panel.setAttribute('role', 'tabpanel')
  tab.addEventListener('click', () => {
    // Groups above this one may change their height: keep the tab where the reader clicked it.
    const before = tab.getBoundingClientRect().top
    choose(name)
    scrollBy(0, tab.getBoundingClientRect().top - before)
    store(name)
  })
  return tab
}

function moveFocus(event, tabs) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
  if (step === undefined) return
  event.preventDefault()
  const next = tabs[(tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length]
  next.focus()
  next.click()
}

function choose(name) {
  for (const { tabs, panels } of groups) {
    const at = Math.max(
      0,
      tabs.findIndex((tab) => tab.textContent === name),
    )
    for (const [place, tab] of tabs.entries()) {
      tab.setAttribute('aria-selected', String(place === at))
      tab.tabIndex = place === at ? 0 : -1
      panels[place].hidden = place !== at
    }
  }
}
choose(stored())

// Search

const TYPING_MS = 120
const { root: toRoot } = document.body.dataset
const input = document.querySelector('#search')
const suggestions = document.createElement('ul')
suggestions.className = 'suggestions'
suggestions.hidden = true
suggestions.setAttribute('aria-label', 'Suggestions')
input.form.append(suggestions)
let asked = ''
let timer

async function suggest() {
  const query = input.value.trim()
  if (query === asked) return
  asked = query
  if (query === '') return hideSuggestions()
  const response = await fetch(`${toRoot}docs/search.json?q=${encodeURIComponent(query)}`).catch(
    () => undefined,
  )
  if (!response?.ok || query !== asked) return
  const found = await response.json()
  if (query !== asked) return
  suggestions.replaceChildren(...(found.length === 0 ? [note('Nothing found')] : found.map(suggestion)))
  suggestions.hidden = false
}

function suggestion({ name, address }) {
  const item = document.createElement('li')
  const link = document.createElement('a')
  link.href = toRoot + address
  link.textContent = name
  item.append(link)
  return item
}

function note(text) {
  const item = document.createElement('li')
  const paragraph = document.createElement('p')
  paragraph.textContent = text
  item.append(paragraph)
  return item
}

function hideSuggestions() {
  asked = ''
  suggestions.hidden = true
}

input.addEventListener('input', () => {
  clearTimeout(timer)
  timer = setTimeout(suggest, TYPING_MS)
})
input.form.addEventListener('focusout', ({ relatedTarget }) => {
  if (!input.form.contains(relatedTarget)) hideSuggestions()
})
// A click on a suggestion that takes no focus must not hide it first.
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

// A link to a form opens it.
function openTarget() {
  const target = document.getElementById(location.hash.slice(1))
  if (target?.matches('details')) target.open = true
}
addEventListener('hashchange', openTarget)
openTarget()

// On a wide screen the contents scroll to the current page.
const current = document.querySelector('.contents [aria-current]')
if (current && matchMedia('(min-width: 900px)').matches) {
  const contents = document.querySelector('.contents')
  contents.scrollTop = current.offsetTop - contents.clientHeight / 2
}
