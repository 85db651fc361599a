// Adds copy buttons and tabs to the documentation. The pages also work without script.

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
    // The language is remembered for this page only.
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

// A link to a form opens the form.
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
